/** Forbidden in the repository: paths of one machine, deferred work, tests that do not run, swallowed errors. */
import { filesThat, lineAt, type Rule } from '../repository.ts';

type Ban = {
  readonly pattern: RegExp;
  readonly what: string;
  readonly files: RegExp;
  /** A comment on the line or right above it justifies the exception. */
  readonly unlessExplained?: true;
};

const everywhere = /^(?!pnpm-lock\.yaml$|\.ci\/)/;
const code = /\.(ts|mts|js|mjs|sh|sql|proto|tpl|ya?ml|json|prisma)$|(^|\/)Dockerfile$/;
const typescript = /\.ts$/;
/** Only `skipBecause` may skip a test, because it records the reason for the report. */
const withoutSkipBecause = /^(?!services\/_testkit\/skip\.ts$).*\.ts$/;

const bans: readonly Ban[] = [
  { pattern: /(?<![\w.@:/*-])\/(work|farm|root|home|Users)\/\w/g, what: 'a path of one machine', files: everywhere },
  { pattern: /(?<!\w)\/tmp\/(bash_jobs|vds)/g, what: 'a path of one machine', files: everywhere },
  { pattern: /\.\.\/shared\//g, what: 'a path that a clone does not have', files: everywhere },
  { pattern: /\b(TO[D]O|FIX[M]E|XX[X]|HAC[K])\b/g, what: 'work that was put off', files: code },
  { pattern: /\b\w+\.ski[p]\(/g, what: 'a test left out without skipBecause', files: withoutSkipBecause },
  { pattern: /(?<![\w.])(xit|xdescribe|xcontext)\(/g, what: 'a test that does not run', files: typescript },
  { pattern: /catch( *\([^)]*\))? *\{ *\}/g, what: 'an error that vanishes', files: typescript, unlessExplained: true },
  {
    pattern: /\.catch\(\(\w*\) *=> *(\{ *\}|undefined|null)\)/g,
    what: 'an error that vanishes',
    files: typescript,
    unlessExplained: true,
  },
];

export const forbiddenWords: Rule = {
  name: 'no file has a machine path, deferred work, a silenced test or a swallowed error',
  breaches: (repository) =>
    bans.flatMap((ban) => filesThat(repository, ban.files).flatMap(([path, text]) => found(path, text, ban))),
};

function found(path: string, text: string, { pattern, what, unlessExplained }: Ban): string[] {
  return [...text.matchAll(pattern)]
    .map((match) => ({ line: lineAt(text, match.index), words: match[0].trim() }))
    .filter(({ line }) => !(unlessExplained && explained(text, line)))
    .map(({ line, words }) => `${path}:${line} has ${what}: ${words}`);
}

function explained(text: string, line: number): boolean {
  const lines = text.split('\n');
  return /\/\/ \w/.test(lines[line - 1] ?? '') || /^\s*(\/\/|\*|\/\*\*)/.test(lines[line - 2] ?? '');
}
