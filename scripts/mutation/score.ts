/** The results of the mutants, as numbers and as text. */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { MutationRun, Mutant } from './run-stryker.ts';

const heads = ['mutants', 'killed', 'timeout', 'survived', 'no cover', 'ignored', 'score', 'seconds'];

/** One line for each surviving mutant: its place, the original and the mutated text. */
export function survivors({ mutants }: MutationRun): string {
  return mutants
    .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
    .map((mutant) => `${relative('src/domain', mutant.fileName)}:${mutant.location.start.line}  ${change(mutant)}\n`)
    .join('');
}

function line(name: string, fields: readonly string[]): string {
  return `${name.padEnd(9)}${fields.map((field) => field.padStart(10)).join('')}\n`;
}

function change(mutant: Mutant): string {
  return `${short(original(mutant))}  →  ${short((mutant.replacement ?? '').replaceAll(/\s+/g, ' '))}`;
}

function short(text: string): string {
  return text.length > 90 ? `${text.slice(0, 90)}…` : text;
}

/** The text that a mutant replaces, on one line; lines and columns of a report begin at 1. */
function original({ fileName, location: { start, end } }: Mutant): string {
  const lines = readFileSync(fileName, 'utf8').split('\n').slice(0, end.line);
  const last = (lines.pop() ?? '').slice(0, end.column - 1);
  const text = [...lines, last].slice(start.line - 1).join('\n');
  return text.slice(start.column - 1).replaceAll(/\s+/g, ' ');
}

/** One line per service, and one for the total. */
export function table(runs: readonly MutationRun[]): string {
  const sum: MutationRun = {
    name: 'sum',
    seconds: runs.reduce((total, { seconds }) => total + seconds, 0),
    mutants: runs.flatMap(({ mutants }) => mutants),
  };
  return `\n${line('service', heads)}${[...runs, sum].map((one) => line(one.name, cells(one))).join('')}`;
}

function cells({ mutants, seconds }: MutationRun): readonly string[] {
  return [
    String(mutants.length),
    String(count(mutants, 'Killed')),
    String(count(mutants, 'Timeout')),
    String(count(mutants, 'Survived')),
    String(count(mutants, 'NoCoverage')),
    String(count(mutants, 'Ignored', 'CompileError', 'RuntimeError')),
    `${scoreOf(mutants).toFixed(1)} %`,
    seconds.toFixed(0),
  ];
}

function count(mutants: readonly Mutant[], ...statuses: readonly Mutant['status'][]): number {
  return mutants.filter(({ status }) => statuses.includes(status)).length;
}

/** The share of mutants that ran and were detected, in percent; an infinite loop counts as detected. */
export function scoreOf(mutants: readonly Mutant[]): number {
  const detected = count(mutants, 'Killed', 'Timeout');
  const ran = detected + count(mutants, 'Survived', 'NoCoverage');
  return ran === 0 ? 0 : (100 * detected) / ran;
}
