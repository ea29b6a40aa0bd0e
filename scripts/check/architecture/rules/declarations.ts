/** Module-level functions are declarations: editors, stack traces and code search find those by name. */
import { filesThat, type Rule } from '../repository.ts';
import { sourceOf } from '../source.ts';

export const declarations: Rule = {
  name: 'functions at module level are declarations; a constant may hold one only where a type of its own says what it is',
  breaches: (repository) =>
    filesThat(repository, /\.ts$/).flatMap(([path, text]) =>
      sourceOf(path, text).arrowConstants.map(
        ({ text: name, line }) => `${path}:${line} declares ${name} as a constant; make it a function declaration`,
      ),
    ),
};
