/**
 * Clients that foreign generators make of openapi.yaml, in two languages: they compile, they call every operation, and
 * they read every response that the contract has an example of.
 */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { goProgram, goToolchain, installGoProgram } from '@vds/testkit/programs/go-programs';
import { installPythonPackage, pythonProgram, type PythonPackage } from '@vds/testkit/programs/python';
import { run } from '@vds/testkit/servers/command';
import { skipBecause } from '@vds/testkit/skip';
import { expect } from 'chai';
import { calls, contractFile, requests, responses, serveExamples } from './generated-clients/examples.ts';

const OPENAPI = fileURLToPath(contractFile);
const KEY = `svc_live_${'k'.repeat(24)}_${'s'.repeat(32)}`;
const ID = 'vid_01jd3m8q0c7e5b9x2k4n6p8rst';
const GENERATOR: PythonPackage = {
  folder: 'openapi-python-client',
  name: 'openapi-python-client',
  version: '0.29.1',
  constraints: here('generated-clients/constraints.txt'),
};

type Outcome = { status: number; body: unknown };

/** Every response of the contract, and every request for a new video at least once. */
const [accepted] = responses.filter(({ status }) => status === 202);
const scripted = [
  ...responses.map((example) => ({ example, request: example.operation === 'createVideo' ? requests[0] : null })),
  ...requests.map((request) => ({ example: accepted ?? responses[0], request })),
].flatMap(({ example, request }) => (example ? [{ example, request }] : []));

/** Runs a program that calls the operations, and returns what it read and what the server received. */
async function outcomesOf(command: string, args: string[], folder: string, named: (operation: string) => object) {
  const { url, received, close } = await serveExamples(scripted.map(({ example }) => example));
  try {
    const given = scripted.map(({ example, request }) => ({ ...named(example.operation), request }));
    const text = await run(command, [...args, JSON.stringify({ url, key: KEY, id: ID, calls: given })], {
      cwd: folder,
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
    });
    return { outcomes: JSON.parse(text) as Outcome[], received };
  } finally {
    close();
  }
}

/** The requests that the server must have received. */
const wantedRequests = scripted.map(({ example, request }) => ({
  call: (calls.get(example.operation) ?? '').replace('{id}', ID),
  authorization: `Bearer ${KEY}`,
  body: request ?? undefined,
}));
const wantedOutcomes = scripted.map(({ example: { status, body } }) => ({ status, body }));

describe('clients generated from openapi.yaml', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'vds-generated-client-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('the contract has examples of all operations, so that the clients have something to read', () => {
    expect(new Set(responses.map(({ operation }) => operation)).size).to.equal(5);
    expect(responses.filter(({ operation }) => operation === 'getVideo')).to.have.length.above(8);
    expect(requests).to.have.length.above(2);
  });

  it('the TypeScript client of @hey-api/openapi-ts compiles strictly and reads every response', async function () {
    this.timeout(60_000);
    const compilerOptions = {
      ...{ module: 'nodenext', target: 'es2023', strict: true, rootDir: '.', outDir: 'compiled' },
      ...{ types: ['node'], typeRoots: [here('../../node_modules/@types')] },
    };
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['**/*.ts'] }));
    const generator = here('../node_modules/.bin/openapi-ts');
    await run(generator, ['--input', OPENAPI, '--output', 'generated', '--no-log-file'], { cwd: folder });
    copyFileSync(here('generated-clients/calls.ts.txt'), join(folder, 'calls.ts'));
    await run(here('../../node_modules/.bin/tsc'), ['--project', '.'], { cwd: folder });
    const { outcomes, received } = await outcomesOf(process.execPath, ['compiled/calls.js'], folder, (operation) => ({
      operation,
    }));
    expectEach(received, wantedRequests);
    expectEach(outcomes, wantedOutcomes);
  });

  it('the Python client of openapi-python-client is complete, compiles and reads every response', async function () {
    this.timeout(180_000);
    const generator = await pythonGenerator().catch((error: unknown) =>
      skipBecause(this, `openapi-python-client cannot be had from PyPI: ${String(error).split('\n')[0]}`),
    );
    const python = join(dirname(generator), 'python');
    // What is generated need not be formatted.
    writeFileSync(join(folder, 'config.yaml'), 'post_hooks: []\n');
    const output = ['--output-path', 'generated', '--meta', 'none', '--config', 'config.yaml'];
    // A warning means that a part of the contract is missing from the client.
    await run(generator, ['generate', '--path', OPENAPI, ...output, '--fail-on-warning'], { cwd: folder });
    await run(python, ['-W', 'error', '-m', 'compileall', '-q', 'generated'], { cwd: folder });
    copyFileSync(here('generated-clients/calls.py'), join(folder, 'calls.py'));
    const { outcomes, received } = await outcomesOf(python, ['calls.py'], folder, (operation) => ({
      module: operation.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    }));
    expectEach(received, wantedRequests);
    expectEach(outcomes.map(inUtc), wantedOutcomes.map(inUtc));
  });

  // Its modules and its compilation take a minute.
  if (process.env['VDS_LONG'] === '1')
    it('the Go client of oapi-codegen compiles and reads every response', async function () {
      this.timeout(300_000);
      const { generator, go } = await goGenerator(folder).catch((error: unknown) =>
        skipBecause(this, `oapi-codegen and its modules cannot be had: ${String(error).split('\n')[0]}`),
      );
      mkdirSync(join(folder, 'generated'));
      const args = ['-generate', 'types,client', '-package', 'generated', '-o', 'generated/client.go'];
      await run(generator, [...args, OPENAPI], { cwd: folder });
      copyFileSync(here('generated-clients/calls.go.txt'), join(folder, 'main.go'));
      await run(go, ['mod', 'tidy'], { cwd: folder });
      await run(go, ['build', '-o', 'calls', '.'], { cwd: folder });
      const { outcomes, received } = await outcomesOf(join(folder, 'calls'), [], folder, (operation) => ({
        operation,
      }));
      // A pointer cannot tell null from what is left out.
      expectEach(withoutNulls(received), withoutNulls(wantedRequests));
      expectEach(withoutNulls(outcomes).map(inUtc), withoutNulls(wantedOutcomes).map(inUtc));
    });
});

/** One comparison for each: chai prints no difference of long lists. */
function expectEach(found: readonly unknown[], wanted: readonly unknown[]): void {
  expect(found).to.have.length(wanted.length);
  for (const [index, one] of found.entries()) expect(one).to.deep.equal(wanted[index]);
}

/** Path of oapi-codegen and of the Go toolchain; builds what is missing and makes the folder a module. */
async function goGenerator(folder: string): Promise<{ generator: string; go: string }> {
  const generator = goProgram('oapi-codegen') ?? (await installGoProgram('oapi-codegen'));
  const go = await goToolchain('a client in Go');
  copyFileSync(here('generated-clients/go.mod.txt'), join(folder, 'go.mod'));
  await run(go, ['mod', 'download'], { cwd: folder });
  return { generator, go };
}

/** The path of a file beside this one. */
function here(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}

/** Path of openapi-python-client; installs it if it is missing. */
async function pythonGenerator(): Promise<string> {
  const known = (): string | null => pythonProgram(GENERATOR, 'openapi-python-client');
  if (known() === null) await installPythonPackage(GENERATOR);
  const program = known();
  if (program === null) throw new Error('it was installed, and its program is not there');
  return program;
}

/** The value without members that are null. */
function withoutNulls<T>(value: T): T {
  const drop = (_: string, inner: unknown): unknown => inner ?? undefined;
  return JSON.parse(JSON.stringify(value, drop)) as T;
}

/** Times in one spelling: Python writes UTC as `+00:00` and leaves a fraction of zero out. */
function inUtc(outcome: Outcome): Outcome {
  const times = /"(\d{4}-\d\d-\d\dT[\d:.]+)(Z|\+00:00)"/g;
  const text = JSON.stringify(outcome).replaceAll(
    times,
    (_, time: string) => `"${new Date(`${time}Z`).toISOString()}"`,
  );
  return JSON.parse(text) as Outcome;
}
