/**
 * The client as npm packs and installs it: what is in the package, how each Node.js loads it, how each TypeScript
 * compiles against it, and that it retries by spec §7 and polls by spec §6 from there.
 */
import { execFile } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { otherNode } from '@vds/testkit/programs/other-node';
import { installedClient } from '@vds/testkit/programs/packed-client';
import { skipBecause } from '@vds/testkit/skip';
import { fault, KEY, startFakeServer, type Scripted } from './fake-server.ts';
import { commonJsConsumer, consumer, exercises } from './published/programs.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../..', import.meta.url));
const isLong = process.env['VDS_LONG'] === '1';
const ID = 'vid_01jd3m8q0c7e5b9x2k4n6p8rst';

/** The oldest version that the package promises, and in the long run the last one of each line. */
const otherVersions = ['20.3.1', ...(isLong ? ['20.20.2', '22.23.3', '26.12.1'] : [])];
/** The first versions of their lines in which `require()` loads ES modules. */
const requires = { 20: 19, 22: 12 } as const;

type Printed = { outcomes: { status?: string; error?: string; live?: boolean }[]; waits: number[] };
type Exercise = keyof typeof exercises;

function video(status: string, playback: object | null = null): Scripted {
  return { status: 200, body: { id: ID, status, is_available: playback !== null, playback } };
}
const live = video('ready', { playback_id: 'p', hls_url: 'https://x/p.m3u8', thumbnail_url: 'https://x/p.jpg' });
const accepted: Scripted = { status: 202, body: { id: ID, status: 'processing' } };
function times<T>(count: number, one: T): T[] {
  return Array.from({ length: count }, () => one);
}

describe('the published client', () => {
  let folder: string;
  before(async function () {
    this.timeout(120_000);
    folder = await installedClient();
    for (const [name, text] of Object.entries(exercises)) writeFileSync(join(folder, name), text);
  });
  after(() => {
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  /** Runs the program on a Node.js against a server with scripted responses; `at` are the times of the requests. */
  async function exercised(node: string, program: Exercise, calls: string[], script: Scripted[], real = false) {
    const { baseUrl, received, close } = await startFakeServer(script);
    try {
      const given = JSON.stringify({ baseUrl, apiKey: KEY, calls, real });
      const { stdout, stderr } = await run(node, [program, given], { cwd: folder });
      expect(stderr).to.equal('');
      return { ...(JSON.parse(stdout) as Printed), at: received.map(({ at }) => at) };
    } finally {
      close();
    }
  }

  it('the package has compiled code, types, README and license, and neither sources nor dependencies', async () => {
    const { stdout } = await run('find', ['node_modules', '-type', 'f', '-printf', '%P\n'], { cwd: folder });
    const names = stdout
      .trim()
      .split('\n')
      .filter((name) => name !== '.package-lock.json');
    expect(names.filter((name) => !/^@vds\/client\/dist\/.+\.(js|d\.ts)$/.test(name)).toSorted()).to.deep.equal(
      ['LICENSE', 'README.md', 'package.json'].map((name) => `@vds/client/${name}`),
    );
    const manifest = readFileSync(join(folder, 'node_modules/@vds/client/package.json'), 'utf8');
    expect(manifest).not.to.match(/workspace:|catalog:|\/src\/[a-z]+\.ts"/);
  });

  for (const version of [process.versions.node, ...otherVersions])
    describe(`on Node.js ${version}`, () => {
      let node: string;
      before(async function () {
        this.timeout(120_000);
        const found = version === process.versions.node ? process.execPath : await otherNode(version);
        if (found === null) return skipBecause(this, `npm cannot provide Node.js ${version}`);
        node = found;
        expect((await run(node, ['--version'])).stdout.trim()).to.equal(`v${version}`);
      });

      const programs = (Object.keys(exercises) as Exercise[]).filter((name) => canRun(name, version));
      for (const program of programs)
        it(`on Node.js ${version} the published client is loaded by ${program}`, async () => {
          const { outcomes } = await exercised(node, program, ['submit', 'get'], [accepted, live]);
          expect(outcomes).to.deep.equal([{ status: 'processing' }, { status: 'ready', live: true }]);
        });

      it(`on Node.js ${version} the published client retries a 5xx after 1, 2, 4, 8 and 16 s, each ± 25 % at random`, async () => {
        const calls = times(20, 'get');
        const { outcomes, waits } = await exercised(
          node,
          'exercise.mjs',
          calls,
          times(120, fault(503, 'internal_error')),
        );
        expect(outcomes).to.deep.equal(times(20, { error: 'internal_error' }));
        expect(waits).to.have.length(100);
        for (const [index, ms] of waits.entries()) {
          const base = 1_000 * 2 ** (index % 5);
          expect(ms).to.be.within(0.75 * base, 1.25 * base);
        }
        expect(new Set(waits.map((ms, index) => ms / 2 ** (index % 5))).size).to.be.above(50);
      });

      it(`on Node.js ${version} the published client retries a 429 after retry-after, and no other 4xx`, async () => {
        const busy = fault(429, 'rate_limited', { 'retry-after': '7' });
        const codes = ['invalid_input', 'invalid_credentials', 'insufficient_scope', 'not_found'] as const;
        const rejected = [400, 401, 403, 404].map((status, index) => fault(status, codes[index] ?? ''));
        const script = [...times(8, busy), accepted, ...rejected];
        const { outcomes, waits, at } = await exercised(node, 'exercise.mjs', times(5, 'submit'), script);
        expect(outcomes).to.deep.equal([{ status: 'processing' }, ...codes.map((error) => ({ error }))]);
        expect(waits).to.deep.equal(times(8, 7_000));
        expect(at).to.have.length(13);
      });

      it(`on Node.js ${version} the published client polls after 10, 20, 40, 80 and then every 120 s until the status is final`, async () => {
        for (const status of ['ready', 'archived', 'failed', 'deleted']) {
          const script = [...times(6, video('processing')), video(status), video('processing')];
          const { outcomes, waits, at } = await exercised(node, 'exercise.mjs', ['follow'], script);
          expect(outcomes).to.deep.equal([{ status, live: false }]);
          expect(waits).to.deep.equal([10_000, 20_000, 40_000, 80_000, 120_000, 120_000, 120_000]);
          expect(at).to.have.length(7);
        }
      });

      it(`on Node.js ${version} the published client waits in real time`, async function () {
        this.timeout(240_000);
        const busy = fault(429, 'rate_limited', { 'retry-after': '1' });
        const whole = isLong && version === process.versions.node;
        const failures = whole ? 5 : 1;
        const server = fault(500, 'internal_error');
        const began = performance.now();
        const [limited, failed, followed] = await Promise.all([
          exercised(node, 'exercise.mjs', ['submit'], [busy, accepted], true),
          exercised(node, 'exercise.mjs', ['get'], [...times(failures, server), live], true),
          whole
            ? exercised(node, 'exercise.mjs', ['follow'], [...times(3, video('processing')), live], true)
            : undefined,
        ]);
        expectGaps(limited.at, [[1_000, 1_000]]);
        expectGaps(
          failed.at,
          times(failures, 0).map((_, index) => [750 * 2 ** index, 1_250 * 2 ** index]),
        );
        if (followed)
          expectGaps(
            [began, ...followed.at],
            [10, 20, 40, 80].map((s) => [s * 1_000, s * 1_000]),
          );
      });
    });

  for (const [compiler, from] of [
    ['5', join(root, 'proto')],
    ['7', root],
  ] as const)
    describe(`with TypeScript ${compiler}`, () => {
      const manifest = createRequire(join(from, 'package.json')).resolve('typescript/package.json');
      it(`the compiler is TypeScript ${compiler}`, () => {
        expect(JSON.parse(readFileSync(manifest, 'utf8')))
          .to.have.property('version')
          .that.matches(RegExp(`^${compiler}\\.`));
      });
      for (const [module, moduleResolution] of [
        ['esnext', 'bundler'],
        ['node16', 'node16'],
        ['nodenext', 'nodenext'],
      ])
        for (const environment of ['node', 'dom'] as const)
          it(`a strict program compiles against the published types with TypeScript ${compiler}, ${moduleResolution} and the types of ${environment}`, async function () {
            this.timeout(120_000);
            const files = { 'consumer.ts': consumer, ...(module !== 'esnext' && { 'common.cts': commonJsConsumer }) };
            for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
            const compilerOptions = {
              ...{ module, moduleResolution, target: 'es2023', noEmit: true, strict: true, skipLibCheck: false },
              ...{ exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, verbatimModuleSyntax: false },
              lib: ['es2023', ...(environment === 'dom' ? ['dom', 'dom.iterable'] : [])],
              types: environment === 'node' ? ['node'] : [],
              typeRoots: [join(root, 'node_modules/@types')],
            };
            writeFileSync(
              join(folder, 'tsconfig.json'),
              JSON.stringify({ compilerOptions, files: Object.keys(files) }),
            );
            const tsc = join(dirname(manifest), 'bin/tsc');
            // Findings are on standard output, whatever the exit code.
            const { stdout } = await run(process.execPath, [tsc, '--project', folder]).catch(
              (error: { stdout: string }) => error,
            );
            expect(stdout).to.equal('');
          });
    });
});

/** Whether that version has what the program needs: `require()` of ES modules. */
function canRun(program: Exercise, version: string): boolean {
  if (program !== 'exercise-require.cjs') return true;
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return minor >= (requires[major as keyof typeof requires] ?? 0);
}

/** The times between requests, with what a busy machine adds. */
function expectGaps(at: readonly number[], wanted: readonly (readonly [number, number])[]): void {
  const gaps = at.slice(1).map((time, index) => time - (at[index] ?? 0));
  expect(gaps).to.have.length(wanted.length);
  for (const [index, [least, most]] of wanted.entries())
    expect(gaps[index]).to.be.within(least - 20, most + 1_500 + most * 0.05);
}
