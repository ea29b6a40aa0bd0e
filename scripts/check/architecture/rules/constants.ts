/** Numbers at module level are written in one case, and limits start with one of two words. */
import { filesThat, type Rule } from '../repository.ts';
import { sourceOf } from '../source.ts';

const LIMIT = /^(MOST|LONGEST|LARGEST|HIGHEST|GREATEST|LEAST|SHORTEST|SMALLEST|LOWEST|FEWEST)(_|$)/;

export const constants: Rule = {
  name: 'a number at module level is a constant in capitals; a limit begins with MAX_ or MIN_',
  breaches: (repository) =>
    filesThat(repository, /\.ts$/).flatMap(([path, text]) =>
      sourceOf(path, text).numbers.flatMap(({ text: name, line }) => {
        if (!/^[A-Z][A-Z0-9_]*$/.test(name)) return [`${path}:${line} declares ${name}; write it in capitals`];
        return LIMIT.test(name) ? [`${path}:${line} declares ${name}; begin with MAX_ or MIN_`] : [];
      }),
    ),
};
