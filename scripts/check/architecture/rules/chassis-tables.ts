/** The tables of the chassis belong to the chassis: services use its functions. */
import { filesThat, type Rule } from '../repository.ts';
import { sourceOf } from '../source.ts';

export const chassisTables: Rule = {
  name: 'only the chassis has SQL on the tables of the schema chassis',
  breaches: (repository) =>
    filesThat(repository, /^services\/(?!_chassis\/)[^/]+\/src\/.*\.ts$/).flatMap(([path, text]) =>
      sourceOf(path, text)
        .words.filter(({ text: word }) => /\bchassis\.\w/.test(word))
        .map(({ line }) => `${path}:${line} has SQL on a table of the chassis; call a function of the chassis instead`),
    ),
};
