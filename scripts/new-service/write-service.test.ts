/** A generated stage keeps the architecture rules, compiles, works in its own stack, and runs end to end with catalog. */
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
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { catalog } from '@vds/proto';
import { rpcClient } from '@vds/chassis/rpc/rpc-client';
import type { CatalogAdminClient } from '@vds/proto/generated/vds/catalog/v1/CatalogAdmin.ts';
import type { CatalogServiceClient } from '@vds/proto/generated/vds/catalog/v1/CatalogService.ts';
import type { events as EventRows } from '@vds/proto/events';
import { noAuth, noTls, rpcCallers, tokenOf } from '@vds/testkit/harness/rpc-callers';
import { testDatabase } from '@vds/testkit/harness/database';
import { openServiceHarness } from '@vds/testkit/harness/service-harness';
import { startService } from '@vds/testkit/harness/service-process';
import { until } from '@vds/testkit/until';
import { namesOfBlocks } from '@vds/proto/generated-blocks';
import { repositoryOf } from '../check/architecture/repository.ts';
import { allRules } from '../check/architecture/all-rules.ts';
import { declaredEvents, eventsRule, type EventTable, type StageTable } from '../check/architecture/rules/events.ts';
import { writeService } from './write-service.ts';

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
    'charts/vds/values.yaml',
  ])
    cpSync(join(root, path), join(tree, path), { recursive: true, filter: kept });
  // The compiler would confuse two packages with the same name and version.
  const contracts = join(tree, 'proto/package.json');
  writeFileSync(contracts, readFileSync(contracts, 'utf8').replace(/"version": "[^"]+"/, '"version": "0.0.0"'));
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  symlinkSync(join(root, 'proto/node_modules'), join(tree, 'proto/node_modules'));
  mkdirSync(join(tree, 'deploy/tools/node_modules/@vds'), { recursive: true });
  symlinkSync(join(tree, 'proto'), join(tree, 'deploy/tools/node_modules/@vds/proto'));
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

/** Catalog as an operator starts it. */
async function startCatalog(folder: URL, natsUrl: string, { url, password }: { url: string; password: string }) {
  const stores = { DATABASE_URL: url, DATABASE_PASSWORD: password, NATS_URL: natsUrl };
  const started = await startService(folder, { ...noAuth, ...stores, RPC_CALLERS: rpcCallers(['gateway', 'vdsctl']) });
  const ports = await started.logged('serving RPC');
  const optionsOf = (caller: string, port: unknown) => ({
    target: `dns:///127.0.0.1:${String(port)}`,
    config: { rpcToken: tokenOf(caller), ...noTls },
    timeoutMs: 20_000,
  });
  const gateway = rpcClient<CatalogServiceClient>(catalog.CatalogService, optionsOf('gateway', ports['rpc_port']));
  const operator = rpcClient<CatalogAdminClient>(catalog.CatalogAdmin, optionsOf('vdsctl', ports['admin_rpc_port']));
  const stop = async (): Promise<void> => {
    await Promise.all([gateway.close(), operator.close()]);
    await started.stop();
  };
  return { gateway, operator, stop };
}

describe('a new service', function () {
  this.timeout(120_000);
  let tree: string;
  /** The program's output; throws it if the program fails. */
  const inTree = (command: string, args: string[]): string => {
    const env = { ...process.env, VDS_TEST_REPORT: '' };
    const { status, stdout, stderr } = spawnSync(command, args, { cwd: tree, encoding: 'utf8', env });
    if (status !== 0) throw new Error(`${basename(command)} failed: ${stdout.slice(-4_000)}${stderr.slice(-4_000)}`);
    return stdout;
  };
  const ofTree = async <T>(module: string): Promise<T> =>
    (await import(pathToFileURL(join(tree, `proto/${module}.ts`)).href)) as T;
  let changed: string;

  before(() => {
    tree = mkdtempSync(join(tmpdir(), 'vds-new-service-'));
    copyTree(tree);
    inTree('git', ['init', '--quiet']);
    inTree('git', ['add', '.']);
    writeService(tree, 'lens');
    changed = inTree('git', ['status', '--short', '--', 'proto', 'services', 'deploy', 'charts']);
    linkPackages(tree, 'lens');
    linkPackages(tree, 'catalog');
    // Next to the sources: the rules for services match paths below the configuration.
    copyFileSync(join(root, '.oxlintrc.json'), join(tree, '.oxlintrc.json'));
    inTree(process.execPath, ['proto/generate.ts']);
  });
  after(() => rmSync(tree, { recursive: true, force: true }));

  it('a new stage is a row in each of two tables and its folder with its messages; its service, two rows of deployment', () => {
    expect(changed.split('\n').filter((line) => !line.startsWith('A  '))).to.have.members([
      'AM proto/stages.ts',
      'AM services/catalog/src/domain/stages.ts',
      '?? proto/vds/lens/',
      '?? services/lens/',
      'AM deploy/tools/services.ts',
      'AM charts/vds/values.yaml',
      '',
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
    const paths = globSync(['services/lens/**/*.*', 'services/catalog/**/*.*', 'proto/vds/**/*.proto'], {
      cwd: tree,
      exclude: (path) => /node_modules|generated/.test(path),
    });
    const texts = paths.map((path) => [path, readFileSync(join(tree, path), 'utf8')]);
    const versions = readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8');
    const files = Object.fromEntries([...texts, ['pnpm-workspace.yaml', versions]]);
    const { events } = await ofTree<{ events: EventTable }>('events');
    const { stages } = await ofTree<{ stages: StageTable }>('stages');
    const rules = [...allRules.filter((rule) => rule !== declaredEvents), eventsRule(events, stages)];
    const found = rules.flatMap((rule) => rule.breaches(repositoryOf(files)));
    expect(found.filter((breach) => /lens/.test(breach))).to.deep.equal([]);
  });

  it('a new service and the edited files are formatted, linted and typed', () => {
    const settings = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')) as object;
    const sources = [
      'services/lens/src',
      'services/lens/test',
      'services/catalog/src',
      'proto/stages.ts',
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
    expect(inTree(bin('mocha'), ['--exit', 'services/lens/test/*.test.ts'])).to.include('4 passing');
  });

  it('a new stage runs end to end: catalog requests it of an encoded video and records that it completed', async () => {
    const { events } = await ofTree<{ events: typeof EventRows }>('events');
    const folder = (service: string): URL => pathToFileURL(join(tree, 'services', service, '/'));
    const others = ['ingest', 'transcode', 'captions', 'metadata', 'indexer'];
    const options = { service: 'lens', ownEvents: [], others, buckets: ['MEDIA_BUCKET'] };
    const harness = await openServiceHarness({ ...options, serviceDir: folder('lens') });
    const database = await testDatabase(folder('catalog'));
    const process = await startCatalog(folder('catalog'), harness.nats.url, database);
    try {
      await harness.startWorker();
      const video = { id: '01jd3m8q0c7e5b9x2k4n6p8rst', publisherId: 'p', keyId: 'k', budgetId: 'b', dailyLimit: 1 };
      await process.gateway.CreateVideo({
        ...video,
        sourceUrl: 'https://a.example/a.mp4',
        title: 'A',
        languageCode: 'en',
      });
      const { client, bucket } = harness.bucket('MEDIA_BUCKET');
      await client.putObject(bucket, 'ladder.json', '{"rungs": [{}]}');
      const key = { videoId: video.id, attempt: 1 };
      const transcode = harness.busOf('transcode');
      const isCompleted = async (round: number): Promise<boolean> => {
        await harness.busOf('ingest').publish(events.fetchCompleted, { ...key, sourceKey: 's' }, `fetch ${round}`);
        await transcode.publish(events.inspectCompleted, { ...key, durationMs: 5_000 }, `inspect ${round}`);
        await transcode.publish(events.encodeCompleted, { ...key, ladderKey: 'ladder.json' }, `encode ${round}`);
        const { stages } = await process.operator.ShowVideo({ videoId: video.id });
        return stages.some(({ stage, state }) => stage === 'lens' && state === 'completed');
      };
      let round = 0;
      await until(() => isCompleted((round += 1)), { what: 'catalog lists the stage as completed', everyMs: 250 });
    } finally {
      await process.stop();
      await harness.close();
      await database.drop();
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
