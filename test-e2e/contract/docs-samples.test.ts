/** The samples of the contract's page, executed as they are shown: curl, TypeScript and Python. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { skipBecause } from '@vds/testkit/skip';
import type { ContractStack } from '../harness/host/contract-stack.ts';
import { publishedContract } from '../harness/host/published-contract.ts';

const run = promisify(execFile);
/** In this order they all succeed on one video. */
const order = ['createVideo', 'getVideo', 'archiveVideo', 'republishVideo', 'deleteVideo'];

type Body = { readonly id: string; readonly status: string };

/** Every sample of the page, as `operation language` → text. */
function samplesOf(page: string): ReadonlyMap<string, string> {
  const calls = [...page.matchAll(/<section\s+class="call"\s+id="(\w+)"[^]*?<\/section>/g)];
  return new Map(
    calls.flatMap(([section, operation]) =>
      [...section.matchAll(/data-sample="(\w+)"[^>]*><code>([^]*?)<\/code>/g)].map(
        ([, language, text = '']) => [`${operation} ${language}`, unescaped(text)] as const,
      ),
    ),
  );
}

function unescaped(text: string): string {
  const characters: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
  return text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_all, name: string) => characters[name] ?? '');
}

/** The JSON at the end of a sample's output. */
function printed(output: string): Body {
  return JSON.parse(output.slice(output.indexOf('{'))) as Body;
}

describe('the samples of the contract’s page', () => {
  let contract: ContractStack;
  let samples: ReadonlyMap<string, string>;
  let env: NodeJS.ProcessEnv;
  let dir: string;
  before(async function () {
    this.timeout(180_000);
    dir = await mkdtemp(join(tmpdir(), 'vds-samples-'));
    contract = await publishedContract();
    const limits = { minuteLimit: 60, dailyLimit: 500 };
    const { secretKey } = await contract.newKey(await contract.newPublisher('Samples'), limits);
    env = { ...process.env, VDS_BASE_URL: contract.gateways[0], VDS_API_KEY: secretKey };
    samples = samplesOf(await (await fetch(`${contract.gateways[0]}/docs`)).text());
    expect([...samples.keys()]).to.deep.equal(
      ['createVideo', 'getVideo', 'deleteVideo', 'archiveVideo', 'republishVideo'].flatMap((operation) =>
        ['curl', 'typescript', 'python'].map((language) => `${operation} ${language}`),
      ),
    );
  });
  after(async () => {
    if (dir) await rm(dir, { recursive: true, force: true });
  });

  /** Executes the five samples of a language on one video; returns what each answered. */
  async function executed(language: string, execute: (text: string, env: NodeJS.ProcessEnv) => Promise<string>) {
    let id = '';
    const statuses: string[] = [];
    for (const operation of order) {
      const text = samples.get(`${operation} ${language}`) ?? '';
      const body = printed(await execute(text, { ...env, VIDEO_ID: id }));
      if (operation === 'createVideo') await contract.partner(env['VDS_API_KEY'] ?? '').settled((id = body.id));
      expect(body.id, operation).to.equal(id);
      statuses.push(body.status);
    }
    return statuses;
  }
  const succeeded = ['processing', 'ready', 'archived', 'public', 'deleted'];

  it('every sample in curl works as it is shown', async function () {
    await run('curl', ['--version']).catch(() => skipBecause(this, 'curl is not installed'));
    const shell = async (text: string, environment: NodeJS.ProcessEnv) =>
      (await run('sh', ['-eu', '-c', text], { env: environment })).stdout;
    expect(await executed('curl', shell)).to.deep.equal(succeeded);
  });

  it('every sample in TypeScript works as it is shown', async () => {
    const file = join(dir, 'sample.mts');
    const node = async (text: string, environment: NodeJS.ProcessEnv) => {
      await writeFile(file, text);
      const { stdout } = await run(process.execPath, [file], { env: environment });
      expect(stdout).to.match(/^20[02] req_\w{26} \{/);
      return stdout;
    };
    expect(await executed('typescript', node)).to.deep.equal(succeeded);
  });

  it('every sample in Python works as it is shown', async function () {
    await run('python3', ['--version']).catch(() => skipBecause(this, 'python3 is not installed'));
    const python = async (text: string, environment: NodeJS.ProcessEnv) => {
      const { stdout } = await run('python3', ['-c', text], { env: environment });
      expect(stdout).to.match(/^20[02] req_\w{26} \{/);
      return stdout;
    };
    expect(await executed('python', python)).to.deep.equal(succeeded);
  });
});
