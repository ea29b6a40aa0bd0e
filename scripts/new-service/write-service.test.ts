/** A generated service keeps the architecture rules, compiles, and works in its own stack without further edits. */
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { namesOfBlocks } from '@vds/proto/generated-blocks';
import { repositoryOf } from '../check/architecture/repository.ts';
import { allRules } from '../check/architecture/all-rules.ts';
import { declaredEvents, eventsRule, type EventTable, type StageTable } from '../check/architecture/rules/events.ts';
import { writeService, type Written } from './write-service.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
function bin(name: string): string {
  return join(root, 'node_modules/.bin', name);
}

/** Copies the files that a new service extends, without packages and generated code. */
function copyTree(tree: string): void {
  const kept = (path: string): boolean => !['node_modules', 'generated', 'test'].includes(basename(path));
  for (const path of [
    'proto',
    'services/catalog',
    'deploy/tools/package.json',
    'deploy/tools/services.ts',
    'deploy/guide/retention.md',
    'charts/vds/values.yaml',
  ])
    cpSync(join(root, path), join(tree, path), { recursive: true, filter: kept });
  // The compiler would confuse two packages with the same name and version.
  const contracts = join(tree, 'proto/package.json');
  writeFileSync(contracts, readFileSync(contracts, 'utf8').replace(/"version": "[^"]+"/, '"version": "0.0.0"'));
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  symlinkSync(join(root, 'proto/node_modules'), join(tree, 'proto/node_modules'));
  symlinkSync(join(root, 'services/_chassis'), join(tree, 'services/_chassis'));
  symlinkSync(join(root, 'services/catalog/generated'), join(tree, 'services/catalog/generated'));
}

/** Links catalog's packages and the tree's contracts into a service. */
function linkPackages(tree: string, service: string): void {
  const packages = join(root, 'services/catalog/node_modules');
  const modules = join(tree, 'services', service, 'node_modules');
  mkdirSync(join(modules, '@vds'), { recursive: true });
  for (const name of readdirSync(packages).filter((entry) => entry !== '@vds' && !entry.startsWith('.')))
    symlinkSync(join(packages, name), join(modules, name));
  symlinkSync(join(root, 'services/_chassis'), join(modules, '@vds/chassis'));
  symlinkSync(join(root, 'services/_testkit'), join(modules, '@vds/testkit'));
  symlinkSync(join(tree, 'proto'), join(modules, '@vds/proto'));
}

describe('a new service', function () {
  this.timeout(120_000);
  let tree: string;
  let written: Written;
  /** The program's output; throws it if the program fails. */
  const inTree = (command: string, args: string[]): string => {
    const env = { ...process.env, VDS_TEST_REPORT: '' };
    const { status, stdout, stderr } = spawnSync(command, args, { cwd: tree, encoding: 'utf8', env });
    if (status !== 0) throw new Error(`${basename(command)} failed: ${stdout.slice(-4_000)}${stderr.slice(-4_000)}`);
    return stdout;
  };

  before(() => {
    tree = mkdtempSync(join(tmpdir(), 'vds-new-service-'));
    copyTree(tree);
    written = writeService(tree, 'lens');
    linkPackages(tree, 'lens');
    linkPackages(tree, 'catalog');
    // Next to the sources: the rules for services match paths below the configuration.
    copyFileSync(join(root, '.oxlintrc.json'), join(tree, '.oxlintrc.json'));
    inTree(process.execPath, ['proto/generate.ts']);
  });
  after(() => rmSync(tree, { recursive: true, force: true }));

  it('a new service is added to every table that has to list it', () => {
    expect(written.undone).to.deep.equal([]);
    expect(written.changed).to.have.members([
      'proto/vds/catalog/v1/catalog_events.proto',
      'proto/events.ts',
      'services/catalog/src/domain/stages.ts',
      'services/catalog/src/outbound/publisher.ts',
      'services/catalog/src/inbound/events.ts',
      'deploy/tools/services.ts',
      'deploy/guide/retention.md',
      'charts/vds/values.yaml',
    ]);
  });

  it('a new service has the generated lists of its events in its README, and a comment on each variable', () => {
    const lists = namesOfBlocks(readFileSync(join(tree, 'services/lens/README.md'), 'utf8'));
    expect(lists).to.deep.equal(['events that lens consumes', 'events that lens publishes']);
    const config = readFileSync(join(tree, 'services/lens/src/config.ts'), 'utf8');
    const variables = config.match(/\w+: \['/g) ?? [];
    expect(config.match(/\/\*\* .+ \*\/\n  \w+: \['/g))
      .to.have.lengthOf(variables.length)
      .and.length.greaterThan(1);
  });

  it('a new service satisfies every architecture rule', async () => {
    const guide = 'deploy/guide/retention.md';
    const paths = globSync(['services/lens/**/*.*', 'services/catalog/**/*.*', 'proto/vds/**/*.proto', guide], {
      cwd: tree,
      exclude: (path) => /node_modules|generated/.test(path),
    });
    const texts = paths.map((path) => [path, readFileSync(join(tree, path), 'utf8')]);
    const versions = readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8');
    const files = Object.fromEntries([...texts, ['pnpm-workspace.yaml', versions]]);
    const table = (await import(pathToFileURL(join(tree, 'proto/events.ts')).href)) as {
      readonly events: EventTable;
      readonly stageEvents: StageTable;
    };
    const rules = [...allRules.filter((rule) => rule !== declaredEvents), eventsRule(table.events, table.stageEvents)];
    const found = rules.flatMap((rule) => rule.breaches(repositoryOf(files)));
    expect(written.files.filter((path) => dirname(path).startsWith('services/lens'))).to.have.lengthOf(15);
    expect(found.filter((breach) => /lens/.test(breach))).to.deep.equal([]);
  });

  it('a new service and the edited files are formatted, linted and typed', () => {
    const settings = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')) as object;
    const sources = [
      'services/lens/src',
      'services/lens/test',
      'services/catalog/src',
      'proto/events.ts',
      'deploy/tools/services.ts',
    ];
    const include = sources.map((path) => (path.endsWith('.ts') ? path : `${path}/**/*.ts`));
    writeFileSync(join(tree, 'tsconfig.json'), JSON.stringify({ ...settings, include }));
    inTree(bin('oxfmt'), ['-c', join(root, '.oxfmtrc.json'), '--check', ...sources, 'charts/vds/values.yaml']);
    inTree(bin('oxlint'), sources);
    expect(inTree(bin('tsc'), ['-p', 'tsconfig.json'])).to.equal('');
  });

  it('a new service passes its own tests without further edits', () => {
    expect(inTree(bin('mocha'), ['--exit', 'services/lens/test/*.test.ts'])).to.include('7 passing');
  });

  it('a new service lists the edits to make by hand if a place is not found', () => {
    const bare = mkdtempSync(join(tmpdir(), 'vds-new-service-'));
    try {
      const { changed, undone } = writeService(bare, 'lens');
      expect(changed).to.deep.equal([]);
      expect(undone).to.have.lengthOf(15);
      expect(undone.find(({ path }) => path === 'charts/vds/values.yaml')).to.deep.equal({
        path: 'charts/vds/values.yaml',
        place: 'at the end of components',
        text: [
          '  # -- What lens does, in a few words.\n  # @default -- see values.yaml\n',
          '  lens:\n    database: true\n    events: true\n    buckets: [media]\n',
        ].join(''),
      });
    } finally {
      rmSync(bare, { recursive: true });
    }
  });

  it('a new service is rejected under a name that is taken or invalid', () => {
    expect(() => writeService(tree, 'lens')).to.throw('services/lens already exists');
    expect(() => writeService(tree, 'common')).to.throw('proto/vds/common already exists');
    for (const name of ['', 'Lens', 'two-words', '../lens', 'x'.repeat(21)]) {
      expect(() => writeService(tree, name), name).to.throw('cannot be the name of a service');
    }
  });
});
