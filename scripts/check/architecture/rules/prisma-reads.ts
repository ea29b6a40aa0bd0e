/**
 * Services write through `withTransaction`. Prisma ends a transaction by its own timer, whose unhandled rejection on a
 * silent connection would end the process.
 */
import { filesThat, type Rule } from '../repository.ts';
import { sourceOf } from '../source.ts';

export const prismaReads: Rule = {
  name: 'services read through Prisma, and write through withTransaction',
  breaches: (repository) =>
    filesThat(repository, /^services\/[^/]+\/src\/.*\.ts$/).flatMap(([path, text]) =>
      sourceOf(path, text)
        .words.filter(({ text: word }) => /^\$(transaction|executeRaw(Unsafe)?)$/.test(word))
        .map(({ text: word, line }) => `${path}:${line} uses ${word}; write through withTransaction instead`),
    ),
};
