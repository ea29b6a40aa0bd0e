/** The top level holds the product's folders, and otherwise only files that a tool requires or custom expects there. */
import type { Rule } from '../repository.ts';

const folders = ['services', 'proto', 'charts', 'deploy', 'scripts', 'test-e2e'];
const required = ['README.md', 'package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', 'tsconfig.json'];
const requiredByTools = new Set([
  '.ci',
  '.dockerignore',
  '.editorconfig',
  '.gitattributes',
  '.github',
  '.gitignore',
  '.node-version',
  '.npmrc',
  '.oxfmtrc.json',
  '.oxlintrc.json',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'LICENSE',
  'NOTICE',
  'SECURITY.md',
  'knip.json',
]);

export const topLevel: Rule = {
  name: 'the top level has the product’s folders and what tools and custom require there, and nothing else',
  breaches: ({ files }) => {
    const found = new Set([...files.keys()].map((path) => path.split('/')[0] ?? path));
    const wanted = [...folders, ...required];
    return [
      ...wanted.filter((name) => !found.has(name)).map((name) => `${name} is missing at the top level`),
      ...[...found]
        .filter((name) => !wanted.includes(name) && !requiredByTools.has(name))
        .map((name) => `${name} does not belong at the top level`),
    ];
  },
};
