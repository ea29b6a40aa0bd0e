/** Names of folders and files are kebab-case. oxlint checks the names of JavaScript and TypeScript files only. */
import type { Rule } from '../repository.ts';

const kebab = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*$/;

/** Names that a tool or a convention prescribes. */
const prescribed = [
  /^\./,
  /^(README|CHANGELOG|CONTRIBUTING|ISSUE_TEMPLATE|LICENSE|NOTICE|SECURITY|PULL_REQUEST_TEMPLATE)(\.md)?$/,
  /^Dockerfile$/,
  /^(Chart\.yaml|NOTES\.txt|README\.md\.gotmpl)$/,
  // Helm renders no file whose name starts with an underscore.
  /^_[a-z]+(-[a-z]+)*\.tpl$/,
  /^_[a-z]+(-[a-z]+)*$/,
  /^[A-Z]\w*\.java$/,
];

/** protobuf and SQL migrations use snake_case. */
const snakeCase = [/^proto\/.*\.proto$/, /\/migrations\//];

export const names: Rule = {
  name: 'folders and files have kebab-case names',
  breaches: ({ files }) =>
    [...files.keys()]
      .filter((path) => !snakeCase.some((pattern) => pattern.test(path)))
      .filter((path) =>
        path.split('/').some((part) => !kebab.test(part) && !prescribed.some((pattern) => pattern.test(part))),
      )
      .map((path) => `${path} is not kebab-case`),
};
