/** The package as anyone would take it: `npm pack`, installed alone, by two versions of Node.js and of TypeScript. */
import { execFile } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { skipBecause } from '@vds/testkit/skip';
import { fault, KEY, startFakeServer } from './fake-server.ts';

const run = promisify(execFile);
const folder = fileURLToPath(new URL('..', import.meta.url));

/** Its times and delays are the package's own, so the delay of the server's 429 is short. */
const program = `
import { createClient, ApiError, isLive } from '@vds/client';
const client = createClient({ baseUrl: process.env.BASE, apiKey: process.env.KEY });
const from = Date.now();
const { id } = await client.submit({ source_url: 'https://media.example.com/a.mp4', title: 'A' }, { idempotencyKey: 'one' });
const waited = Math.round((Date.now() - from) / 1000);
const video = await client.get(id);
const refused = await client.archive(id).catch((error) => error instanceof ApiError && error.code);
console.log([process.versions.node.split('.')[0], id, waited, isLive(video), refused].join(' '));
`;
const typed = `
import { createClient, ApiError, isLive, type Video } from '@vds/client';
const client = createClient({ baseUrl: 'https://api.example.com', apiKey: 'svc_live_' });
export async function publish(): Promise<string> {
  const { id } = await client.submit({ source_url: 'https://media.example.com/a.mp4', title: 'A', sport: 'tennis' });
  const video: Video = await client.follow(id, { onRecord: ({ status, progress }) => console.log(status, progress) });
  if (video.status === 'failed') throw new Error(video.failure?.message ?? '');
  // @ts-expect-error: no such sport
  await client.submit({ source_url: 'https://media.example.com/a.mp4', title: 'A', sport: 'chess' });
  const address: string = video.playback?.hls_url ?? '';
  return isLive(video) ? address : String(new ApiError('x', { status: 500, code: 'internal_error', requestId: undefined, retryAfterSeconds: undefined }));
}
`;

describe('the packed client', function () {
  this.timeout(180_000);
  let dir: string;
  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'vds-packed-'));
    const [command = '', ...given] = (process.env['VDS_PNPM'] ?? 'npx -y pnpm@12.21.0').split(' ');
    await run(command, [...given, '--dir', folder, 'pack', '--pack-destination', dir]);
    await writeFile(join(dir, 'package.json'), '{"type":"module","private":true}');
    const [tarball = ''] = globSync(join(dir, '*.tgz'));
    await run('npm', ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', tarball], { cwd: dir });
    await writeFile(join(dir, 'use.js'), program);
    await mkdir(join(dir, 'typed'));
    await writeFile(join(dir, 'typed/use.ts'), typed);
  });
  after(() => rm(dir, { recursive: true, force: true }));

  /** This version of Node.js: the one that runs, the one on PATH, or the registry's. @throws Error where there is none */
  async function nodeOf(major: string): Promise<string> {
    const onPath = (process.env['PATH'] ?? '').split(':').map((one) => join(one, 'node'));
    for (const node of [process.execPath, ...onPath.filter((one) => existsSync(one))])
      if ((await run(node, ['--version'])).stdout.startsWith(`v${major}.`)) return node;
    const name = `node-linux-${process.arch}`;
    const where = join(dir, `node-${major}`);
    const flags = ['--prefix', where, '--ignore-scripts', '--no-audit', '--no-fund'];
    await run('npm', ['install', ...flags, `${name}@${major}`]);
    return join(where, 'node_modules', name, 'bin/node');
  }

  for (const major of ['20', '24'])
    it(`Node.js ${major} imports it alone, and it retries as the interface prescribes`, async function () {
      const node = await nodeOf(major).catch((error: unknown) =>
        skipBecause(this, `there is no Node.js ${major} here, and the registry gave none: ${String(error)}`),
      );
      const id = 'vid_01jd3m8q0c7e5b9x2k4n6p8rst';
      const accepted = {
        id,
        status: 'processing',
        resource_url: '/v1/videos/01jd3m8q0c7e5b9x2k4n6p8rst',
        message: 'M',
      };
      const ready = { id, status: 'ready', is_available: true, playback: { playback_id: 'p' } };
      const server = await startFakeServer([
        fault(429, 'rate_limited', { 'retry-after': '2' }),
        fault(500, 'internal_error'),
        'drop',
        { status: 202, body: accepted },
        { status: 200, body: ready },
        fault(400, 'invalid_input'),
      ]);
      try {
        const env = { PATH: process.env['PATH'] ?? '', BASE: server.baseUrl, KEY };
        const { stdout } = await run(node, ['use.js'], { cwd: dir, env });
        const [version, found, waited, live, refused] = stdout.trim().split(' ');
        expect([version, found, live, refused]).to.deep.equal([major, id, 'true', 'invalid_input']);
        // 2 s by retry-after, then 1 and 2 s, each with 25 % jitter.
        expect(Number(waited)).to.be.within(4, 7);
        // A 4xx is not sent again.
        expect(server.received.map(({ method }) => method)).to.deep.equal([
          'POST',
          'POST',
          'POST',
          'POST',
          'GET',
          'POST',
        ]);
        expect(new Set(server.received.slice(0, 4).map(({ headers }) => headers['idempotency-key']))).to.deep.equal(
          new Set(['one']),
        );
      } finally {
        server.close();
      }
    });

  for (const [major, where] of [
    ['5', '../../node_modules/typescript'],
    ['7', '../node_modules/typescript'],
  ] as const)
    it(`TypeScript ${major} checks a program by its types, in every way of resolving modules`, async () => {
      const compiler = fileURLToPath(new URL(where, import.meta.url));
      expect((await run(process.execPath, [join(compiler, 'bin/tsc'), '--version'])).stdout).to.include(
        `Version ${major}.`,
      );
      for (const [module, resolution] of [
        ['esnext', 'bundler'],
        ['nodenext', 'nodenext'],
        ['node16', 'node16'],
      ] as const) {
        const options = `--noEmit --strict --exactOptionalPropertyTypes --target es2022 --lib es2023,dom --types`.split(
          ' ',
        );
        const args = [...options, '--module', module, '--moduleResolution', resolution, 'typed/use.ts'];
        const checked = await run(process.execPath, [join(compiler, 'bin/tsc'), ...args], { cwd: dir }).catch(
          (error: { stdout: string }) => error,
        );
        expect(checked.stdout, `${module}, ${resolution}`).to.equal('');
      }
    });
});
