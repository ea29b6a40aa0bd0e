/** A module receives the settings it names: a configuration holds secrets, and their users stay visible. */
import { filesThat, type Rule } from '../repository.ts';

export const wholeConfig: Rule = {
  name: 'no main.ts spreads its whole configuration into dependencies',
  breaches: (repository) =>
    filesThat(repository, /^services\/[^/]+\/src\/main\.ts$/).flatMap(([path, text]) =>
      text
        .split('\n')
        .flatMap((line, index) =>
          /\.\.\.(scope\.)?config\b/.test(line) ? [`${path}:${index + 1} spreads the whole configuration`] : [],
        ),
    ),
};
