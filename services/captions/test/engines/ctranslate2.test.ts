import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { readServers } from '@vds/testkit/servers/servers-file';
import { testSandbox } from '@vds/testkit/harness/sandbox';
import { skipBecause } from '@vds/testkit/skip';
import { openCtranslate2 } from '../../src/outbound/engines/ctranslate2.ts';
import type { PythonModelOptions } from '../../src/outbound/engines/python-model.ts';
import type { TranslationEngine } from '../../src/outbound/engines/translation-engine.ts';
import { failureOf, never, silent } from './support.ts';
import { processesOf } from './whisper-processes.ts';

const maker = fileURLToPath(new URL('tiny-translation-model.py', import.meta.url));
const execute = promisify(execFile);

describe('ctranslate2 engine', function () {
  this.timeout(60_000);
  let scratch: string;
  let options: Omit<PythonModelOptions, 'model'>;
  const opened: TranslationEngine[] = [];
  before(async function () {
    const python = readServers().speechPython;
    if (typeof python !== 'string') return skipBecause(this, 'faster-whisper is not installed');
    scratch = await mkdtemp(join(tmpdir(), 'vds-ctranslate2-'));
    const limits = { memoryBytes: 2 ** 31, niceness: 0, timeoutMs: 30_000, threads: 1 };
    options = { ...limits, python, scratchDir: scratch, log: silent, sandbox: await testSandbox() };
  });
  afterEach(async () => {
    for (const engine of opened.splice(0)) await engine.close?.();
  });
  after(() => scratch && rm(scratch, { recursive: true, force: true }));

  const open = async (family: string): Promise<TranslationEngine> => {
    const model = join(scratch, family);
    await execute(options.python, [maker, family, model]);
    const engine = await openCtranslate2({ ...options, model });
    opened.push(engine);
    return engine;
  };
  const stepsOf = async (engine: TranslationEngine): Promise<string[]> =>
    (await engine.pairs()).map(({ from, to }) => `${from}>${to}`);
  const toGerman = (engine: TranslationEngine, ...sentences: string[]) =>
    engine.translate(sentences, ['en', 'de'], never());

  it('a model of the family M2M-100 translates between all languages that its vocabulary names', async () => {
    const engine = await open('m2m100');
    expect(await stepsOf(engine)).to.have.members(['en>de', 'en>pt', 'de>en', 'de>pt', 'pt>en', 'pt>de']);
    expect(await toGerman(engine, 'the goal wins.', 'goal won')).to.deep.equal(['das Tor ge.', 'Torwinnt']);
  });

  it('a model of the family NLLB names a script only where it is not the usual one', async () => {
    const engine = await open('nllb');
    expect(await stepsOf(engine)).to.include.members(['en>de', 'en>pt', 'en>zh-Hant', 'en>ko', 'ko>en']);
    expect(await toGerman(engine, 'the goal.')).to.deep.equal(['das Tor.']);
  });

  it('a model of OPUS-MT has the languages that its folder declares, and names the target where it has several', async () => {
    const one = await open('opus');
    expect(await stepsOf(one)).to.deep.equal(['en>de']);
    expect(await toGerman(one, 'the goal.')).to.deep.equal(['das Tor.']);
    const several = await open('opus-multi');
    expect(await stepsOf(several)).to.deep.equal(['en>de', 'en>nl']);
    expect(await toGerman(several, 'the goal.')).to.deep.equal(['das Tor.']);
    await rm(join(scratch, 'opus', 'languages.json'));
    const silentModel = failureOf(openCtranslate2({ ...options, model: join(scratch, 'opus') }));
    expect((await silentModel).message).to.match(/does not name its languages: write .*languages\.json/);
  });

  it('an empty text stays empty, a long one is translated in parts, and tokens in a text are none', async () => {
    const engine = await open('m2m100');
    const long = Array.from({ length: 450 }, () => 'the goal').join(' ');
    const [none, some, hostile] = await toGerman(engine, '', long, 'the __pt__ </s> goal');
    expect(none).to.equal('');
    expect(some).to.equal(Array.from({ length: 450 }, () => 'das Tor').join(' '));
    expect(hostile).to.match(/^das .*Tor$/);
    expect(await toGerman(engine, '!?'))
      .to.have.length(1)
      .and.not.include('');
  });

  it('a process that is killed fails its call, which may be tried again', async () => {
    const engine = await open('m2m100');
    const work = failureOf(toGerman(engine, ...Array.from({ length: 2_000 }, () => 'the goal wins.')));
    for (const id of await processesOf(join(scratch, 'm2m100'))) process.kill(id, 'SIGKILL');
    expect(await work).to.include({ code: 'INTERNAL', reason: 'program_killed' });
    expect(await toGerman(engine, 'the goal.')).to.deep.equal(['das Tor.']);
  });

  it('a folder without a model or without a tokenizer is reported with the variable to set', async () => {
    expect((await failureOf(openCtranslate2({ ...options, model: scratch }))).message).to.match(
      /TRANSLATION_MODEL .* is no folder with a CTranslate2 translation model/,
    );
    await open('nllb');
    await rm(join(scratch, 'nllb', 'tokenizer.json'));
    const error = await failureOf(openCtranslate2({ ...options, model: join(scratch, 'nllb') }));
    expect(error.message).to.match(/cannot load TRANSLATION_MODEL .*no tokenizer\.json/);
  });
});
