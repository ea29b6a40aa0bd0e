/** A new service keeps the rules of the house, compiles, and passes its own test before anyone has touched it. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { repositoryOf } from '../house-rules/repository.ts';
import { allRules } from '../house-rules/all-rules.ts';
import { writeService } from './write-service.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const bin = (name: string): string => join(root, 'node_modules/.bin', name);

describe('a new service', () => {
  let tree: string;
  const inTree = (command: string, args: string[]): string =>
    execFileSync(command, args, { cwd: tree, encoding: 'utf8', env: { ...process.env, VDS_TEST_REPORT: '' } });

  before(() => {
    tree = mkdtempSync(join(tmpdir(), 'vds-new-service-'));
    writeService(tree, 'lens');
  });
  after(() => rmSync(tree, { recursive: true, force: true }));

  it('keeps every rule of the house that speaks of it', () => {
    const paths = globSync('services/**/*.*', { cwd: tree });
    const files = Object.fromEntries(paths.map((path) => [path, readFileSync(join(tree, path), 'utf8')]));
    const found = allRules.flatMap((rule) => rule.breaches(repositoryOf(files)));
    expect(Object.keys(files)).to.have.lengthOf(7);
    expect(found.filter((breach) => breach.includes('services/lens'))).to.deep.equal([]);
  });

  it('is formatted, linted, typed, and passes its own test', function () {
    this.timeout(60_000);
    symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
    symlinkSync(join(root, 'services/_shared'), join(tree, 'services/_shared'));
    symlinkSync(join(root, 'services/gateway/node_modules'), join(tree, 'services/lens/node_modules'));
    const settings = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')) as object;
    writeFileSync(join(tree, 'tsconfig.json'), JSON.stringify({ ...settings, include: ['services/lens/**/*.ts'] }));
    const sources = ['services/lens/src', 'services/lens/test'];
    inTree(bin('oxfmt'), ['-c', join(root, '.oxfmtrc.json'), '--check', ...sources]);
    // Beside the sources, as the rules for rooms are tied to paths below the configuration.
    copyFileSync(join(root, '.oxlintrc.json'), join(tree, '.oxlintrc.json'));
    inTree(bin('oxlint'), sources);
    expect(inTree(bin('tsc'), ['-p', 'tsconfig.json'])).to.equal('');
    expect(inTree(bin('mocha'), ['services/lens/test/*.test.ts'])).to.include('3 passing');
  });

  it('is refused under a name that is taken or will not do', () => {
    expect(() => writeService(tree, 'lens')).to.throw('services/lens is there already');
    for (const name of ['', 'Lens', 'two-words', '../lens', 'x'.repeat(21)]) {
      expect(() => writeService(tree, name), name).to.throw('cannot be the name of a service');
    }
  });
});
