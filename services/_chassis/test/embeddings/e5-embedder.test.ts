import { copyFile, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { testSandbox } from '@vds/testkit/harness/sandbox';
import { embeddingsFolder } from '@vds/testkit/programs/embeddings';
import { skipBecause } from '@vds/testkit/skip';
import { until } from '@vds/testkit/until';
import { openE5Embedder, type E5Options } from '../../src/embeddings/e5-embedder.ts';
import type { Embedder } from '../../src/embeddings/embedder.ts';
import type { AppError } from '../../src/errors.ts';
import { createLogger } from '../../src/telemetry/log.ts';

const log = createLogger('test', 'silent');

describe('the embedded embeddings engine', function () {
  this.timeout(60_000);
  const opened: Embedder[] = [];
  let folder: string;

  before(async function () {
    const installed = embeddingsFolder();
    if (installed === null) return skipBecause(this, 'the embeddings engine is not installed');
    // Arguments of the processes of this test name the model by a path that nobody else uses.
    folder = await mkdtemp(join(tmpdir(), 'embeddings-test-'));
    for (const name of ['vds-embed', 'e5-small-q4.bin']) await copyFile(join(installed, name), join(folder, name));
  });
  after(async () => {
    await Promise.all(opened.map((embedder) => embedder.close()));
    if (folder !== undefined) await rm(folder, { recursive: true });
  });

  async function open(more: Partial<E5Options> = {}): Promise<Embedder> {
    const sandbox = await testSandbox();
    const options = { folder, niceness: 0, sandbox, memoryBytes: Infinity, log, scratchDir: folder, ...more };
    const embedder = await openE5Embedder(options);
    opened.push(embedder);
    return embedder;
  }

  async function processes(): Promise<number[]> {
    const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    const found = await Promise.all(
      ids.map(async (id) => {
        const args = await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '');
        return args.split('\0')[0] === join(folder, 'vds-embed') ? [Number(id)] : [];
      }),
    );
    return found.flat();
  }

  it('a query is nearest to the text that means the same in another language', async () => {
    const embedder = await open();
    const titles = [
      'The striker scores in the last minute of the derby.',
      'La tenista gana el segundo set con un saque directo.',
      'Die Schwimmerin gewinnt das Finale über 100 Meter Freistil.',
      'スキー選手が吹雪の中で転倒した。',
      '공격수가 더비 마지막 순간에 결승골을 터뜨렸습니다.',
      'Le cycliste attaque dans la dernière montée.',
    ];
    const passages = await embedder.embed(titles, 'passage');
    const nearest = async (query: string): Promise<string | undefined> => {
      const [vector = new Int8Array()] = await embedder.embed([query], 'query');
      const scores = passages.map((passage) => passage.reduce((sum, value, at) => sum + value * (vector[at] ?? 0), 0));
      return titles[scores.indexOf(Math.max(...scores))];
    };
    expect(await nearest('skier falls in snow')).to.equal(titles[3]);
    expect(await nearest('natation, finale du 100 mètres')).to.equal(titles[2]);
    expect(await nearest('tennis ace wins the set')).to.equal(titles[1]);
    expect(await nearest('더비의 극적인 결승골')).to.equal(titles[4]);
    for (const vector of passages) {
      expect(vector).to.have.length(embedder.dimensions);
      expect(Math.hypot(...vector)).to.be.closeTo(127, 6);
    }
  });

  it('concurrent callers get the vectors of their own texts, the same every time', async () => {
    const embedder = await open();
    const texts = Array.from({ length: 12 }, (_text, at) => `goal number ${at}`);
    const alone = await embedder.embed(texts, 'passage');
    const together = await Promise.all(texts.map((text) => embedder.embed([text], 'passage')));
    expect(together.flat()).to.deep.equal(alone);
    expect(await processes()).to.have.length(2);
  });

  it('hostile texts have vectors like any other, in 100 MB', async () => {
    const embedder = await open();
    const texts = [
      '',
      '\0',
      '\ud800',
      '\uFDFA'.repeat(5_000),
      '語'.repeat(5_000),
      '\u0344'.repeat(3_000),
      'a'.repeat(1e6),
    ];
    const vectors = await embedder.embed(texts, 'passage');
    expect(vectors.map(({ length }) => length)).to.deep.equal(texts.map(() => 384));
    const peaks = (await processes()).map(async (pid) => {
      const [, kilobytes] = /^VmHWM:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
      return Number(kilobytes) * 1024;
    });
    expect(Math.max(...(await Promise.all(peaks)))).to.be.within(1e6, 100e6);
  });

  it('an idle engine has no process, and starts one for the next text', async () => {
    await Promise.all(opened.splice(0).map((embedder) => embedder.close()));
    const embedder = await open({ idleMs: 50 });
    await until(async () => (await processes()).length === 0, { what: 'the end of the idle process' });
    expect(await embedder.embed(['goal'], 'query')).to.have.length(1);
  });

  it('a killed process costs no text, and an engine that does not run any more is UNAVAILABLE', async () => {
    const embedder = await open();
    const texts = Array.from({ length: 8 }, () => 'goal '.repeat(100));
    const expected = await embedder.embed(texts, 'passage');
    const work = embedder.embed(texts, 'passage');
    for (const pid of await processes()) process.kill(pid, 'SIGKILL');
    expect(await work).to.deep.equal(expected);
    const program = join(folder, 'vds-embed');
    await rename(program, `${program}.away`);
    try {
      for (const pid of await processes()) process.kill(pid, 'SIGKILL');
      const error = await embedder.embed(['goal'], 'query').then(
        () => undefined,
        (cause: unknown) => cause as AppError,
      );
      expect(error?.code).to.equal('UNAVAILABLE');
    } finally {
      await rename(`${program}.away`, program);
    }
    expect(await embedder.embed(['goal'], 'query')).to.have.length(1);
  });

  it('a closed engine leaves no process', async () => {
    await Promise.all(opened.splice(0).map((embedder) => embedder.close()));
    expect(await processes()).to.deep.equal([]);
  });

  it('a folder without an engine, or with a broken model, is UNAVAILABLE and says what to do', async () => {
    const failureOf = async (more: Partial<E5Options>): Promise<AppError> =>
      await open(more).then(
        () => expect.fail('it opened'),
        (error: unknown) => error as AppError,
      );
    const empty = await mkdtemp(join(tmpdir(), 'embeddings-test-'));
    const missing = await failureOf({ folder: empty });
    expect(missing.code).to.equal('UNAVAILABLE');
    expect(missing.message).to.include('npm run servers -- install');
    await symlink(join(folder, 'vds-embed'), join(empty, 'vds-embed'));
    await writeFile(join(empty, 'e5-small-q4.bin'), 'no model');
    expect((await failureOf({ folder: empty })).code).to.equal('UNAVAILABLE');
    await rm(empty, { recursive: true });
  });
});
