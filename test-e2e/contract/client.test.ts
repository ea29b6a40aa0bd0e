/** The five-minute start in the README of @vds/client, verbatim: with curl, and with the package as it is published. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { globSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { installedClient } from '@vds/testkit/programs/packed-client';
import { skipBecause } from '@vds/testkit/skip';
import type { ContractStack } from '../harness/host/contract-stack.ts';
import { publishedContract } from '../harness/host/published-contract.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, 'services/_client');
const exampleUrl = 'https://media.example.com/final.mp4';

/** The README's code blocks that start with this fence. */
async function blocksOf(fence: string): Promise<string[]> {
  const text = await readFile(join(folder, 'README.md'), 'utf8');
  return [...text.matchAll(/^```(.+)\n([^]*?)^```$/gm)].flatMap(([, kind, code]) =>
    kind === fence ? [code ?? ''] : [],
  );
}

describe('the five-minute start', () => {
  let contract: ContractStack;
  let env: NodeJS.ProcessEnv;
  let dir: string;
  before(async function () {
    this.timeout(180_000);
    dir = await installedClient();
    const [program = ''] = await blocksOf('ts');
    expect(program).to.include(exampleUrl);
    await writeFile(join(dir, 'start.ts'), program);
    contract = await publishedContract();
    const { secretKey } = await contract.newKey(await contract.newPublisher('Quick'), {
      minuteLimit: 60,
      dailyLimit: 500,
    });
    env = { ...process.env, VDS_BASE_URL: contract.gateways[0], VDS_API_KEY: secretKey };
  });
  after(async () => {
    if (dir) await rm(dir, { recursive: true, force: true });
  });

  it('the five-minute start works with curl', async function () {
    await run('curl', ['--version']).catch(() => skipBecause(this, 'curl is not installed'));
    const [submit = '', read = '', others = ''] = await blocksOf('sh curl');
    const shell = async (script: string, more = {}) =>
      (await run('sh', ['-eu', '-c', script], { env: { ...env, ...more } })).stdout;
    expect(submit).to.include(exampleUrl);
    const accepted = JSON.parse(await shell(submit)) as { id: string; status: string };
    expect(accepted.status).to.equal('processing');
    const VIDEO_ID = accepted.id;
    expect(JSON.parse(await shell(read, { VIDEO_ID }))).to.include({ id: VIDEO_ID, title: 'Championship final' });
    await contract.partner(env['VDS_API_KEY'] ?? '').settled(VIDEO_ID);
    expect(await shell(others, { VIDEO_ID })).to.equal(
      ['archived', 'public', 'deleted'].map((status) => JSON.stringify({ id: VIDEO_ID, status })).join(''),
    );
  });

  it('the five-minute start works with the published client, which has no dependency and needs no TypeScript', async () => {
    const { stdout, stderr } = await run(process.execPath, ['start.ts'], { cwd: dir, env });
    expect(stderr).to.equal('');
    expect(stdout).to.match(/^ready \nlive at http\S+\.m3u8\n$/);
    expect(globSync('node_modules/{*,@*/*}/package.json', { cwd: dir })).to.deep.equal([
      'node_modules/@vds/client/package.json',
    ]);
  });

  it('a submission whose response is a 500 or is lost after it was accepted is one video, and an error names its field', async () => {
    const title = `Once ${randomUUID()}`;
    await writeFile(
      join(dir, 'once.ts'),
      `import { createClient } from '@vds/client';
      let calls = 0;
      const fetchOnce: typeof fetch = async (url, init) => {
        const response = await fetch(url, init);
        calls += 1;
        if (calls === 2) throw new TypeError('connection reset');
        return calls === 1 ? new Response('{}', { status: 500 }) : response;
      };
      const [baseUrl, apiKey] = [process.env.VDS_BASE_URL!, process.env.VDS_API_KEY!];
      const client = createClient({ baseUrl, apiKey, fetch: fetchOnce });
      const { id } = await client.submit({ source_url: '${exampleUrl}', title: '${title}' });
      const error = await client.submit({ source_url: '${exampleUrl}', title: '' }).catch((error) => error);
      console.log(JSON.stringify([calls, id, error.param]));
      `,
    );
    const { stdout } = await run(process.execPath, ['once.ts'], { cwd: dir, env });
    const [calls, id, param] = JSON.parse(stdout) as [number, string, string];
    expect([calls, param]).to.deep.equal([4, 'title']);
    const text = 'SELECT id FROM videos WHERE title = $1';
    const { rows } = await contract.stack.adminPool('catalog').query<{ id: string }>(text, [title]);
    expect(rows.map((row) => `vid_${row.id}`)).to.deep.equal([id]);
  });

  it('the program of the five-minute start type-checks against the published types', async () => {
    const compilerOptions = { typeRoots: [join(root, 'node_modules/@types')], types: ['node'] };
    const config = { extends: join(root, 'tsconfig.json'), compilerOptions, include: ['start.ts'] };
    await writeFile(join(dir, 'tsconfig.json'), JSON.stringify(config));
    // Findings are on standard output, whatever the exit code.
    const { stdout } = await run('tsc', ['--project', dir]).catch((error: { stdout: string }) => error);
    expect(stdout).to.equal('');
  });
});
