import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { limitsOnly } from '@vds/chassis/sandbox/sandbox';
import { expect } from 'chai';
import { commentary, speakTrack, type SpokenTrack } from '@vds/testkit/media/commentary';
import { skipBecause } from '@vds/testkit/skip';
import { until } from '@vds/testkit/until';
import type { SpeechEngine } from '../../src/outbound/engines/speech-engine.ts';
import type { PythonModelOptions } from '../../src/outbound/engines/python-model.ts';
import { openWhisper } from '../../src/outbound/engines/whisper.ts';
import { failureOf, ignore, never } from './support.ts';
import { processesOf, whisperOptions } from './whisper-processes.ts';

const worker = fileURLToPath(new URL('abandoned-whisper.ts', import.meta.url));

describe('processes of the whisper engine', function () {
  this.timeout(120_000);
  let scratch: string;
  let options: PythonModelOptions;
  let short: SpokenTrack;
  let long: SpokenTrack;
  const opened: SpeechEngine[] = [];
  before(async function () {
    scratch = await mkdtemp(join(tmpdir(), 'vds-whisper-processes-'));
    options = (await whisperOptions(scratch)) ?? skipBecause(this, 'faster-whisper or its model is not installed');
    short = await speakTrack(commentary.slice(1, 2), join(scratch, 'short.wav'));
    long = await speakTrack(commentary, join(scratch, 'long.wav'));
  });
  afterEach(async () => {
    for (const engine of opened.splice(0)) await engine.close?.();
  });
  after(() => rm(scratch, { recursive: true, force: true }));

  const open = async (more: Partial<PythonModelOptions> = {}): Promise<SpeechEngine> => {
    const engine = await openWhisper({ ...options, ...more });
    opened.push(engine);
    return engine;
  };
  const transcribe = (engine: SpeechEngine, { path, durationMs }: SpokenTrack, signal = never(), onProgress = ignore) =>
    engine.transcribe({ wavPath: path, language: 'en', durationMs, offsetMs: 0 }, signal, onProgress);
  const processes = () => processesOf(options.model);
  const none = () => until(async () => (await processes()).length === 0, { what: 'no process of whisper' });

  it('one process transcribes call after call, each call at a time has its own, and closing ends them all', async () => {
    const engine = await open();
    const first = await processes();
    expect(first).to.have.length(1);
    const words = await transcribe(engine, short);
    expect(await transcribe(engine, short))
      .to.deep.equal(words)
      .and.have.length.above(5);
    expect(await processes()).to.deep.equal(first);
    await Promise.all([transcribe(engine, short), transcribe(engine, short)]);
    expect(await processes())
      .to.have.length(2)
      .and.include(first[0]);
    await engine.close?.();
    expect(await processes()).to.deep.equal([]);
  });

  it('an idle process ends, and the next call starts another', async () => {
    const engine = await open({ idleMs: 100 });
    await none();
    expect(await transcribe(engine, short)).to.have.length.above(5);
    await none();
  });

  it('a call that is cancelled or takes too long ends its process, and the next call works', async () => {
    const engine = await open();
    const abort = new AbortController();
    const outcome = transcribe(engine, long, abort.signal, () => abort.abort(new Error('no longer wanted'))).catch(
      String,
    );
    expect(await outcome).to.equal('Error: no longer wanted');
    expect(await processes()).to.deep.equal([]);
    expect(await transcribe(engine, short)).to.have.length.above(5);
    const hurried = await open({ timeoutMs: 50 });
    expect(await failureOf(transcribe(hurried, long))).to.include({ code: 'DEADLINE_EXCEEDED', reason: 'timed_out' });
  });

  it('a process that is killed fails its call, which may be tried again', async () => {
    const engine = await open();
    const outcome = failureOf(transcribe(engine, long, never(), killAll));
    expect(await outcome).to.include({ code: 'INTERNAL', reason: 'program_killed' });
    expect(await transcribe(engine, short)).to.have.length.above(5);
  });

  function killAll(): void {
    void processes().then((ids) => ids.forEach((id) => process.kill(id, 'SIGKILL')));
  }

  const abandoned = [
    { state: 'busy', confined: true },
    { state: 'idle', confined: true },
    { state: 'busy', confined: false },
  ] as const;
  for (const { state, confined } of abandoned)
    it(`a worker that is killed leaves no ${state} process of whisper${confined ? ', confined' : ' with limits only'}`, async function () {
      if (confined && options.sandbox.level !== 'confined') return skipBecause(this, 'this kernel has no Landlock');
      const { log: _log, ...plain } = { ...options, ...(!confined && { sandbox: limitsOnly }) };
      const files = state === 'busy' ? [long.path] : [];
      const child = spawn(process.execPath, [worker, JSON.stringify(plain), ...files], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      try {
        let printed = '';
        child.stdout.setEncoding('utf8').on('data', (text) => (printed += String(text)));
        await until(() => printed.includes(state), { what: `an engine that is ${state}`, capMs: 90_000 });
        expect(await processes()).to.have.length(1);
      } finally {
        child.kill('SIGKILL');
      }
      await once(child, 'exit');
      await none();
    });
});
