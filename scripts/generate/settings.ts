/**
 * Lists of settings: each variable of a config.ts with its default and the comment above it. A variable without a
 * comment is an error.
 */
import { globSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { processConfig } from '@vds/chassis/process/run';
import type { Reader } from '@vds/chassis/config/config';
import { code } from './markdown.ts';

type Setting = { readonly key: string; readonly variable: string; readonly read: Reader<unknown> };

const chassis = 'services/_chassis/src';

/**
 * The variables of a service: its own, then those that it shares with other services.
 * @throws Error for a variable without a comment
 */
export async function settingsOf(root: string, service: string): Promise<string[]> {
  const file = `services/${service}/src/config.ts`;
  const own = descriptionsIn(root, file);
  const shared = globSync(`${chassis}/**/*.ts`, { cwd: root }).flatMap((one) => [...descriptionsIn(root, one)]);
  const found = [...Object.entries(processConfig).flatMap(settingFrom), ...(await settingsIn(root, file))];
  const settings = [...new Map(found.map((one) => [one.variable, one])).values()];
  const isOwn = ({ variable }: Setting): boolean => own.has(variable);
  const inOrder = [...settings.filter(isOwn), ...settings.filter((one) => !isOwn(one))];
  return linesOf(inOrder, new Map([...shared, ...own]));
}

async function settingsIn(root: string, file: string): Promise<Setting[]> {
  const module = (await import(pathToFileURL(join(root, file)).href)) as Readonly<Record<string, unknown>>;
  const settings = Object.values(module).flatMap((one) =>
    typeof one === 'object' && one !== null ? Object.entries(one).flatMap(settingFrom) : [],
  );
  return [...new Map(settings.map((one) => [one.variable, one])).values()];
}

function settingFrom([key, value]: [string, unknown]): Setting[] {
  const [variable, read] = Array.isArray(value) ? (value as readonly unknown[]) : [];
  // Of the times in the product, only the scale of tests is a setting: `processConfig` describes it.
  if (key !== 'timeScale' && variable === 'TIME_SCALE') return [];
  return typeof variable === 'string' && typeof read === 'function'
    ? [{ key, variable, read: read as Reader<unknown> }]
    : [];
}

/** Variable → the comment above its entry, in one line; '' without one. */
function descriptionsIn(root: string, file: string): Map<string, string> {
  const text = readFileSync(join(root, file), 'utf8');
  if (!text.includes('ConfigSpec')) return new Map();
  const entries = text.matchAll(/(?:\/\*\*((?:(?!\*\/)[^])*)\*\/\s*)?\b\w+: \[\s*'([A-Z][A-Z0-9_]*)'/g);
  return new Map(
    [...entries].map(([, comment = '', variable = '']) => [
      variable,
      comment
        .replaceAll(/^\s*\* ?/gm, '')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    ]),
  );
}

function linesOf(settings: readonly Setting[], described: ReadonlyMap<string, string>): string[] {
  const bare = settings.filter(({ variable }) => !described.get(variable)).map(({ variable }) => variable);
  if (bare.length > 0) throw new Error(`say in a comment above each what it is for: ${bare.join(', ')}`);
  return settings.map((one) => `- ${code(one.variable)} (${defaultOf(one)}): ${described.get(one.variable) ?? ''}`);
}

/** As it would be set. */
function defaultOf({ key, variable, read }: Setting): string {
  let value: unknown;
  try {
    value = read(undefined, variable);
  } catch {
    return 'required';
  }
  const values: readonly unknown[] = Array.isArray(value) ? value : value instanceof Map ? [...value.keys()] : [value];
  const texts = values.map((one) => {
    if (typeof one === 'number') return key.endsWith('Ms') ? durationOf(one) : String(one);
    return typeof one === 'string' || typeof one === 'boolean' ? String(one) : '';
  });
  const text = texts.join(',');
  return text === '' ? 'none' : code(text === tmpdir() ? '/tmp' : text);
}

function durationOf(ms: number): string {
  const units = [
    ['d', 86_400_000],
    ['h', 3_600_000],
    ['m', 60_000],
    ['s', 1_000],
  ] as const;
  const [unit, length] = units.find(([, one]) => ms >= one && ms % one === 0) ?? (ms === 0 ? ['s', 1] : ['ms', 1]);
  return `${ms / length}${unit}`;
}
