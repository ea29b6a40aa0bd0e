import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { limitsOnly, type Sandbox } from '@vds/chassis/sandbox/sandbox';
import { testSandbox } from '@vds/testkit/harness/sandbox';
import { readServers } from '@vds/testkit/servers/servers-file';
import { skipBecause } from '@vds/testkit/skip';
import { until } from '@vds/testkit/until';
import { findRoutes, type FindPath } from '../../src/domain/routes.ts';
import { protect } from '../../src/domain/translation/protect-entities.ts';
import { openApertium, type ApertiumOptions } from '../../src/outbound/engines/apertium.ts';
import type { TranslationEngine } from '../../src/outbound/engines/translation-engine.ts';
import { failureOf, never, silent } from './support.ts';

const { apertium } = readServers();
const fromEnglish = 'es pt-BR fr it pt ca gl oc an ast sc eo frp ca-valencia oc-aranes oc-gascon'.split(' ');
const special = '\\^$@/[]{}<>*#~|+';

describe('apertium engine', () => {
  let scratchDir: string;
  let sandbox: Sandbox;
  before(async () => void (sandbox = await testSandbox()));
  beforeEach(async () => void (scratchDir = await mkdtemp(join(tmpdir(), 'vds-apertium-'))));
  afterEach(() => rm(scratchDir, { recursive: true }));

  const open = (more: Partial<ApertiumOptions> = {}): Promise<TranslationEngine> =>
    openApertium({
      path: apertium ?? undefined,
      ...{ sandbox, scratchDir, log: silent, memoryBytes: 2 ** 32, niceness: 0, timeoutMs: 60_000, concurrency: 2 },
      ...more,
    });

  /** A program in place of apertium: `-l` lists a mode, everything else runs `body` on the sentences. */
  const openFake = async (body: string, more: Partial<ApertiumOptions> = {}): Promise<TranslationEngine> => {
    const path = join(scratchDir, 'fake-apertium');
    const script = `#!/bin/sh\ncase "$1" in -V) echo fake;; -l) echo eng-spa;; *) ${body};; esac\n`;
    await writeFile(path, script);
    await chmod(path, 0o755);
    return open({ path, sandbox: limitsOnly, ...more });
  };
  const translate = (engine: TranslationEngine, sentences: readonly string[]) =>
    engine.translate(sentences, ['en', 'es'], never());

  describe('apertium engine with Debian’s packages', () => {
    let engine: TranslationEngine;
    let route: FindPath;
    before(async function () {
      if (!apertium) return skipBecause(this, 'apertium is not installed');
      scratchDir = await mkdtemp(join(tmpdir(), 'vds-apertium-'));
      engine = await open();
      route = findRoutes(await engine.pairs());
      await rm(scratchDir, { recursive: true });
    });
    beforeEach(async () => void (engine = await open()));

    it('apertium reaches sixteen languages from English, by the better routes', () => {
      expect(fromEnglish.filter((to) => route('en', to) === undefined)).to.deep.equal([]);
      expect(route('en', 'it')).to.deep.equal(['en', 'ca', 'it']);
      expect(route('en', 'fr')).to.deep.equal(['en', 'ca', 'fr']);
      expect(route('en', 'pt-BR')).to.deep.equal(['en', 'es', 'pt-BR']);
      expect(route('en', 'frp')).to.deep.equal(['en', 'ca', 'fr', 'frp']);
      expect(route('en', 'de')).to.equal(undefined);
    });

    for (const target of fromEnglish)
      it(`an abbreviation with an ampersand stays whole in ${target}, however the speech engine spells it`, async () => {
        const sentences = ['Then comes our Q and A with fans of the team.', 'We talk about R&B music at AT&T.'];
        const guarded = sentences.map((sentence) => protect(sentence, { source: 'en', target }));
        const sent = guarded.map(({ text }) => text);
        const translated = await engine.translate(sent, route('en', target) ?? [], never());
        const [first, second] = guarded.map(({ restore }, index) => restore(translated[index] ?? ''));
        expect(first).to.match(/(?<!\S)Q&A(?![\p{L}&])/u);
        expect(second)
          .to.match(/(?<!\S)R&B(?![\p{L}&])/u)
          .and.match(/AT&T(?![\p{L}&])/u);
      });

    it('apertium translates a document in one run, sentence by sentence', async () => {
      const texts = await translate(engine, ['The team won the game.', '', 'The players return to the field.']);
      expect(texts).to.have.length(3);
      expect(texts[0])
        .to.match(/equipo/)
        .and.match(/ganó|ganado/);
      expect(texts[1]).to.equal('');
      expect(texts[2]).to.match(/jugadores/);
    });

    it('apertium keeps a hundred sentences apart, with their numbers and names', async () => {
      const sentences = Array.from({ length: 100 }, (_, index) => `Barcelona scored ${index} goals in the match`);
      const texts = await translate(engine, sentences);
      for (const [index, text] of texts.entries()) expect(text).to.match(new RegExp(`Barcelona .*\\b${index}\\b`));
    });

    for (const path of [
      ['en', 'es', 'pt'],
      ['en', 'ca', 'it'],
      ['en', 'eo'],
      ['en', 'gl'],
    ])
      it(`apertium preserves the special characters of its stream from ${path.join(' to ')}`, async () => {
        const hostile = [
          ...special.split('').map((one) => `The ${one} team ${one}won${one} the game${one}`),
          '[<b>] the game ]] [[ \\] \\[ ^the/the<det><def>$ {x} [<STREAMCMD:SETVAR:x>]',
          `${special}${special}`,
        ];
        const signs = (text: string): string =>
          [...text]
            .filter((one) => special.includes(one))
            .toSorted()
            .join('');
        const texts = await engine.translate(hostile, path, never());
        expect(texts.map(signs)).to.deep.equal(hostile.map(signs));
      });

    it('apertium preserves other scripts, emoji and quotes', async () => {
      const [text] = await translate(engine, ['“Müller” 日本 العربية 😀 & 50% — the game…']);
      for (const part of ['“', 'Müller', '”', '日本', 'العربية', '😀', '&', '50%', '—', '…'])
        expect(text).to.contain(part);
    });

    it('apertium leaves no scratch folder behind', async () => {
      await translate(engine, ['The game.']);
      expect(await readdir(scratchDir)).to.deep.equal([]);
    });
  });

  it('apertium translates halves separately where a sentence is lost, down to the one, which stays as it is', async () => {
    const engine = await openFake(
      `tr '\\n' '\\001' | sed 's/three\\x01\\x01//; s/^three\\x01$//' | tr '\\001' '\\n' | sed 's/o/0/'`,
    );
    expect(await translate(engine, ['one', 'two', 'three', 'four'])).to.deep.equal(['0ne', 'tw0', 'three', 'f0ur']);
  });

  it('apertium stops a step that mixes up everything before it takes longer than the video', async () => {
    const engine = await openFake(`echo x >> ${join(scratchDir, 'count')}; tr -s '\\n'`);
    const error = await failureOf(
      translate(
        engine,
        Array.from({ length: 200 }, (_, index) => `sentence ${index}`),
      ),
    );
    expect(error).to.include({ code: 'FAILED_PRECONDITION', reason: 'engine_error' });
    expect(await readFile(join(scratchDir, 'count'), 'utf8')).to.have.length(200);
  });

  it('an apertium mode without output fails permanently and is skipped for a while', async () => {
    const engine = await openFake('cat > /dev/null', { skipMs: 300 });
    expect(await engine.pairs()).to.have.length(1);
    const error = await failureOf(translate(engine, ['one', 'two']));
    expect(error).to.include({ code: 'FAILED_PRECONDITION', reason: 'engine_error' });
    expect(await engine.pairs()).to.have.length(0);
    await until(async () => (await engine.pairs()).length === 1, { what: 'it is tried again' });
  });

  it('a failed apertium program is an error that a later try may overcome', async () => {
    const engine = await openFake('exit 3');
    expect(await failureOf(translate(engine, ['one']))).to.include({ code: 'INTERNAL' });
    expect(await engine.pairs()).to.have.length(1);
  });

  it('apertium output that is longer than any translation is not read to its end', async () => {
    const engine = await openFake('yes');
    expect(await failureOf(translate(engine, ['one'])))
      .to.have.property('message')
      .that.contains('printed more than');
  });

  it('an apertium program that takes too long is ended', async () => {
    const engine = await openFake('sleep 60', { timeoutMs: 200 });
    expect(await failureOf(translate(engine, ['one']))).to.have.property('code', 'DEADLINE_EXCEEDED');
  });

  it('an aborted signal ends the apertium program', async () => {
    const engine = await openFake('touch started; sleep 60');
    const abort = new AbortController();
    const outcome = engine.translate(['one'], ['en', 'es'], abort.signal).catch((error: unknown) => String(error));
    const started = async (): Promise<boolean> =>
      (await readdir(scratchDir, { recursive: true })).some((name) => name.endsWith('/started'));
    await until(started, { what: 'the program' });
    abort.abort(new Error('no longer wanted'));
    expect(await outcome).to.equal('Error: no longer wanted');
  });

  it('apertium runs no more programs at a time than configured', async () => {
    const engine = await openFake(
      `d=$(mktemp -d ${scratchDir}/run-XXXXXX); ls -d ${scratchDir}/run-* | wc -l >> ${scratchDir}/most; sleep 0.1; cat; rmdir $d`,
    );
    await Promise.all(Array.from({ length: 6 }, (_, index) => translate(engine, [`one ${index}`])));
    const most = (await readFile(join(scratchDir, 'most'), 'utf8')).split('\n').map(Number);
    expect(Math.max(...most)).to.equal(2);
  });

  it('apertium runs a step over the same sentences once, whatever follows it, but repeats a failed one', async () => {
    const count = join(scratchDir, 'count');
    const engine = await openFake(`echo x >> ${count}; [ $(wc -l < ${count}) = 1 ] && exit 3; cat`);
    await failureOf(translate(engine, ['one']));
    for (const text of ['one', 'one', 'two']) expect(await translate(engine, [text])).to.deep.equal([text]);
    expect(await readFile(count, 'utf8')).to.equal('x\nx\nx\n');
  });

  it('apertium rejects a step that it lacks', async () => {
    const engine = await openFake('cat');
    const error = await failureOf(engine.translate(['one'], ['en', 'de'], never()));
    expect(error).to.include({ code: 'FAILED_PRECONDITION', reason: 'engine_error' });
  });

  it('a missing apertium program is reported at startup with its path', async () => {
    const error = await failureOf(open({ path: join(scratchDir, 'nothing') }));
    expect(error.message).to.match(/^apertium is .*nothing, which does not run/);
  });
});
