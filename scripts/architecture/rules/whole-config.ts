/** A module receives the settings that it names: a configuration holds secrets, and what needs it stays visible. */
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
