/** What came of the mutants, in numbers and in words. */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Broken, Mutant } from './break-room.ts';

const count = (mutants: readonly Mutant[], ...statuses: readonly Mutant['status'][]): number =>
  mutants.filter(({ status }) => statuses.includes(status)).length;

/** Of the mutants that ran, how many the tests noticed, in percent; a loop without an end counts as noticed. */
export const scoreOf = (mutants: readonly Mutant[]): number => {
  const noticed = count(mutants, 'Killed', 'Timeout');
  const ran = noticed + count(mutants, 'Survived', 'NoCoverage');
  return ran === 0 ? 0 : (100 * noticed) / ran;
};

/** The text that a mutant stands in for, on one line; lines and columns of a report begin at 1. */
const original = ({ fileName, location: { start, end } }: Mutant): string => {
  const lines = readFileSync(fileName, 'utf8').split('\n').slice(0, end.line);
  const last = (lines.pop() ?? '').slice(0, end.column - 1);
  const text = [...lines, last].slice(start.line - 1).join('\n');
  return text.slice(start.column - 1).replaceAll(/\s+/g, ' ');
};

const short = (text: string): string => (text.length > 90 ? `${text.slice(0, 90)}…` : text);
const words = (mutant: Mutant): string =>
  `${short(original(mutant))}  →  ${short((mutant.replacement ?? '').replaceAll(/\s+/g, ' '))}`;

/** One line for each mutant that nobody noticed: where, and what stood there instead of what. */
export const survivors = ({ mutants }: Broken): string =>
  mutants
    .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
    .map((mutant) => `${relative('src/domain', mutant.fileName)}:${mutant.location.start.line}  ${words(mutant)}\n`)
    .join('');

const heads = ['mutants', 'killed', 'timeout', 'survived', 'no cover', 'ignored', 'score', 'seconds'];
const cells = ({ mutants, seconds }: Broken): readonly string[] => [
  String(mutants.length),
  String(count(mutants, 'Killed')),
  String(count(mutants, 'Timeout')),
  String(count(mutants, 'Survived')),
  String(count(mutants, 'NoCoverage')),
  String(count(mutants, 'Ignored', 'CompileError', 'RuntimeError')),
  `${scoreOf(mutants).toFixed(1)} %`,
  seconds.toFixed(0),
];
const line = (name: string, fields: readonly string[]): string =>
  `${name.padEnd(9)}${fields.map((field) => field.padStart(10)).join('')}\n`;

/** One line a service, and one for their sum. */
export const table = (broken: readonly Broken[]): string => {
  const sum: Broken = {
    name: 'sum',
    seconds: broken.reduce((total, { seconds }) => total + seconds, 0),
    mutants: broken.flatMap(({ mutants }) => mutants),
  };
  return `\n${line('service', heads)}${[...broken, sum].map((one) => line(one.name, cells(one))).join('')}`;
};
