/** Runbooks search logs for texts; a text that no service logs any more would find nothing, and look like good news. */
import { filesThat, type Rule } from '../repository.ts';

const search = /\blogs \S+ \d+[mhd] '([^']+)'/g;

export const logTexts: Rule = {
  name: 'the log lines that runbooks search for exist',
  breaches: (repository) => {
    const sources = filesThat(repository, /^services\/[^/]+\/src\/.*\.ts$/).map(([, text]) => text);
    return filesThat(repository, /^deploy\/.*\.md$/).flatMap(([path, page]) =>
      [...page.matchAll(search)]
        .map(([, text = '']) => text)
        // Alternatives of a pattern: others may be texts of a library.
        .filter((text) => !text.split('|').some((one) => sources.some((source) => source.includes(one))))
        .map((text) => `${path}: no service logs '${text}'`),
    );
  },
};
