/** Names of files and folders are kebab-case, so that nobody guesses. */
import type { Rule } from '../repository.ts';

const kebab = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*$/;

/** Names that a tool or a convention of its field prescribes. */
const prescribed = [
  /^\./,
  /^(README|LICENSE|NOTICE)(\.md)?$/,
  /^Dockerfile$/,
  /^(Chart\.yaml|NOTES\.txt|README\.md\.gotmpl)$/,
  // Helm renders no file whose name begins like that.
  /^_[a-z]+(-[a-z]+)*\.tpl$/,
  /^_chassis$/,
  /^[A-Z]\w*\.java$/,
];

/** Paths whose names follow the convention of their tool: protobuf and SQL migrations write snake_case. */
const snake = [/^proto\/.*\.proto$/, /\/migrations\//];

export const names: Rule = {
  name: 'files and folders have kebab-case names',
  breaches: ({ files }) =>
    [...files.keys()]
      .filter((path) => !snake.some((pattern) => pattern.test(path)))
      .filter((path) =>
        path.split('/').some((part) => !kebab.test(part) && !prescribed.some((pattern) => pattern.test(part))),
      )
      .map((path) => `${path} is not kebab-case`),
};
