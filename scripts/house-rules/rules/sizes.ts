/** Files and functions stay small enough to be read at a glance. */
import { filesThat, lineCount, type Rule } from '../repository.ts';
import { sourceOf } from '../source.ts';

const fileLimit = 350;
const functionLimit = 60;
const mainLimit = 80;
const main = /^services\/[^/]+\/src\/main\.ts$/;

export const fileSizes: Rule = {
  name: `no file of code is longer than ${fileLimit} lines, no main.ts of a service longer than ${mainLimit}`,
  breaches: (repository) =>
    filesThat(repository, /\.(ts|mts|js|mjs|sh)$/).flatMap(([path, text]) => {
      const limit = main.test(path) ? mainLimit : fileLimit;
      const lines = lineCount(text);
      return lines > limit ? [`${path} has ${lines} lines, more than ${limit}`] : [];
    }),
};

/** A describe is a list of tests; the boot of a service is all of its main.ts, which has a limit of its own. */
function mayBeLong(path: string, calledBy: string): boolean {
  return /^describe\b/.test(calledBy) || (calledBy === 'run' && main.test(path));
}

export const functionSizes: Rule = {
  name: `no function is longer than ${functionLimit} lines; only the describe of a test and the boot in main.ts may be`,
  breaches: (repository) =>
    filesThat(repository, /\.ts$/).flatMap(([path, text]) =>
      sourceOf(path, text)
        .functions.filter(({ lines, calledBy }) => lines > functionLimit && !mayBeLong(path, calledBy))
        .map(({ line, lines }) => `${path}:${line} has a function of ${lines} lines, more than ${functionLimit}`),
    ),
};
