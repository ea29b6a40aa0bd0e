import { expect } from 'chai';
import { startEngines, type Engines } from '@vds/testkit/engines/engines';
import { startTranslationServer, type RealServer } from '@vds/testkit/engines/real-servers';
import { libretranslatePython } from '@vds/testkit/programs/libretranslate';
import { skipBecause } from '@vds/testkit/skip';
import { findRoutes } from '../../src/domain/routes.ts';
import { openLibretranslate } from '../../src/outbound/engines/libretranslate.ts';
import { batchesOf } from '../../src/outbound/engines/sentence-batches.ts';
import { failureOf, never, shortRetry } from './support.ts';

const sentences = ['The striker scores 3-2.', 'The crowd goes wild!', 'What a game.'];

describe('LibreTranslate engine', () => {
  let engines: Engines;
  beforeEach(async () => void (engines = await startEngines()));
  afterEach(() => engines.close());

  const open = (apiKey?: string) =>
    openLibretranslate({ url: engines.url, apiKey, concurrency: 2, timeoutMs: 2_000, retry: shortRetry });
  const translate = (to: string, texts: readonly string[] = sentences) => open().translate(texts, ['en', to], never());
  const translations = () => engines.calls().filter(({ endpoint }) => endpoint === 'translation');

  it('LibreTranslate’s languages are read as steps between BCP 47 tags', async () => {
    const pairs = await open().pairs();
    const route = findRoutes(pairs);
    expect(route('en', 'zh')).to.deep.equal(['en', 'zh']);
    expect(route('ja', 'pt-BR')).to.deep.equal(['ja', 'pt-BR']);
    expect(route('en', 'ca')).to.equal(undefined);
    expect(pairs.some(({ from, to }) => from === to)).to.equal(false);
  });

  it('LibreTranslate requests use the server’s own codes, with the key in the body', async () => {
    await open('k-1').translate(sentences, ['en', 'zh'], never());
    expect(translations()[0]?.fields).to.deep.equal({
      ...{ q: sentences, source: 'en', target: 'zh-Hans', format: 'text', api_key: 'k-1' },
    });
  });

  it('LibreTranslate translates in one request what fits into one, in order', async () => {
    expect(await translate('es')).to.deep.equal(sentences.map((sentence) => `[es] ${sentence}`));
    expect(translations()).to.have.length(1);
  });

  it('LibreTranslate translates through every language of the path', async () => {
    const [first] = await open().translate(['Goal.'], ['en', 'fr', 'de'], never());
    expect(first).to.equal('[de] [fr] Goal.');
  });

  it('LibreTranslate keeps empty sentences in their places and does not send them to the server', async () => {
    expect(await translate('es', ['One.', '', ' \n ', 'Two.'])).to.deep.equal(['[es] One.', '', '', '[es] Two.']);
    expect(translations()[0]?.fields['q']).to.deep.equal(['One.', 'Two.']);
    expect(await translate('es', ['', ''])).to.deep.equal(['', '']);
    expect(translations()).to.have.length(1);
  });

  it('LibreTranslate splits many sentences into batches by number and by length, none lost', async () => {
    const many = Array.from({ length: 230 }, (_, index) => `Sentence ${index} ${'x'.repeat(index)}`);
    const batches = batchesOf(many);
    expect(batches.flat()).to.deep.equal(many);
    for (const batch of batches) {
      expect(batch.length).to.be.within(1, 50);
      if (batch.length > 1) expect(batch.join('').length).to.be.at.most(4_000);
    }
    expect(await translate('es', many)).to.have.length(230);
    expect(translations()).to.have.length(batches.length);
  });

  for (const kind of ['wrong-count', 'empty'] as const)
    it(`LibreTranslate sends each sentence by itself where ${kind === 'empty' ? 'one comes back empty' : 'their number is wrong'}`, async () => {
      engines.trouble({ endpoint: 'translation', fault: { kind }, above: 1 });
      expect(await translate('es')).to.deep.equal(sentences.map((sentence) => `[es] ${sentence}`));
      expect(translations()).to.have.length(1 + sentences.length);
    });

  it('LibreTranslate fails if even a single sentence is returned empty', async () => {
    engines.trouble({ endpoint: 'translation', fault: { kind: 'empty' } });
    expect(await failureOf(translate('es'))).to.include({ code: 'FAILED_PRECONDITION', reason: 'engine_error' });
  });

  it('LibreTranslate accepts an empty translation of a sentence without a letter', async () => {
    engines.trouble({ endpoint: 'translation', fault: { kind: 'instead', answer: { translatedText: [''] } } });
    expect(await translate('es', ['…'])).to.deep.equal(['…']);
  });

  const wrong: Readonly<Record<string, unknown>> = {
    'no texts': { error: 'busy' },
    'one text for a list': { translatedText: 'Hola' },
    'a text that is a number': { translatedText: [1, 2, 3] },
    'a text a hundred times as long': { translatedText: sentences.map((one) => one.repeat(100)) },
  };
  for (const [what, answer] of Object.entries(wrong))
    it(`a LibreTranslate response with ${what} is rejected`, async () => {
      engines.trouble({ endpoint: 'translation', fault: { kind: 'instead', answer } });
      const error = await failureOf(translate('es'));
      expect(error).to.include({ code: 'FAILED_PRECONDITION', reason: 'engine_error' });
      expect(error.message).to.contain('invalid response');
    });

  it('LibreTranslate makes one line of a translation, without control characters', async () => {
    engines.trouble({
      endpoint: 'translation',
      fault: { kind: 'instead', answer: { translatedText: [' a\r\n\u2028b\u0000 '] } },
    });
    expect(await translate('es', ['Goal.'])).to.deep.equal(['a b']);
  });

  it('a LibreTranslate failure in one language does not affect another', async () => {
    engines.trouble({ endpoint: 'translation', fault: { kind: 'status', status: 400 }, language: 'fr' });
    engines.trouble({ endpoint: 'translation', fault: { kind: 'cut' }, language: 'de' });
    const engine = open();
    const outcomes = await Promise.allSettled(
      ['fr', 'es', 'de', 'ja'].map((to) => engine.translate(sentences, ['en', to], never())),
    );
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['rejected', 'fulfilled', 'rejected', 'fulfilled']);
  });

  it('LibreTranslate translates 18 languages with no more concurrent requests than configured', async () => {
    engines.trouble({ endpoint: 'translation', fault: { kind: 'delay', ms: 20 } });
    const engine = open();
    const targets = 'es pt fr de it nl pl sv tr ru uk ar hi id vi th ja ko'.split(' ');
    const all = await Promise.all(targets.map((to) => engine.translate(sentences, ['en', to], never())));
    expect(all.map((texts) => texts.length)).to.deep.equal(targets.map(() => 3));
    expect(all[11]?.[0]).to.match(/\p{Script=Arabic}.* 3-2$/u);
    expect(engines.mostAtOnce('translation')).to.equal(2);
  });

  const noLanguages: Readonly<Record<string, unknown>> = {
    'no list at all': { languages: [] },
    'a language without a code': [{ name: 'English' }],
    'targets that are not a list': [{ code: 'en', targets: 'all' }],
    'ten thousand entries': Array.from({ length: 10_000 }, () => ({ code: 'en', targets: [] })),
  };
  for (const [what, answer] of Object.entries(noLanguages))
    it(`LibreTranslate languages with ${what} are rejected`, async () => {
      engines.trouble({ endpoint: 'languages', fault: { kind: 'instead', answer } });
      expect(await failureOf(open().pairs()))
        .to.have.property('message')
        .that.contains('invalid response');
    });

  it('LibreTranslate ignores codes that are not language tags, and supports the older codes', async () => {
    const answer = [
      { code: 'en', targets: ['pb', 'zt', '../x', 'en', 'xx-<b>', 7] },
      ...['pb', 'zt', '../x', '__proto__'].map((code) => ({ code, targets: ['en'] })),
    ];
    engines.trouble({ endpoint: 'languages', fault: { kind: 'instead', answer } });
    const steps = (await open().pairs()).map(({ from, to }) => `${from}>${to}`);
    expect(steps.toSorted()).to.deep.equal(['en>pt-BR', 'en>zh-Hant', 'pt-BR>en', 'zh-Hant>en']);
  });
});

describe('LibreTranslate’s own server', function () {
  this.timeout(120_000);
  let server: RealServer | undefined;
  let python: string;
  before(async function () {
    python = (await libretranslatePython()) ?? skipBecause(this, 'PyPI cannot provide LibreTranslate');
  });
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  const start = async (key = '', ...args: string[]): Promise<void> => {
    server = await startTranslationServer({ python, languages: ['en', 'es', 'ja', 'pb', 'zh'], key, args });
  };
  const open = (apiKey?: string) => {
    const url = server?.url ?? expect.fail('no server');
    return openLibretranslate({ url, apiKey, concurrency: 2, timeoutMs: 10_000, retry: shortRetry });
  };
  const translate = (to: string, apiKey?: string, texts: readonly string[] = sentences) =>
    open(apiKey).translate(texts, ['en', to], never());

  it('LibreTranslate’s own codes become BCP 47 tags, and its server translates into each', async () => {
    await start();
    const route = findRoutes(await open().pairs());
    for (const tag of ['es', 'ja', 'pt-BR', 'zh']) {
      expect(route('en', tag)).to.deep.equal(['en', tag]);
      const code = { 'pt-BR': 'pb' }[tag] ?? tag;
      expect(await translate(tag)).to.deep.equal(sentences.map((sentence) => `[${code}] ${sentence}`));
    }
  });

  it('LibreTranslate’s default limits of a public server let a batch through, and more sentences than fit into one', async () => {
    await start('', '--char-limit', '5000', '--batch-limit', '50');
    const many = Array.from({ length: 120 }, (_, index) => `Sentence ${index} & "more" <b>of it</b>.`);
    expect(await translate('es', undefined, many)).to.deep.equal(many.map((sentence) => `[es] ${sentence}`));
  });

  it('LibreTranslate’s key is needed, and a wrong one is a fault of the configuration', async () => {
    await start('k-right');
    expect(await translate('es', 'k-right')).to.have.length(sentences.length);
    expect(await failureOf(translate('es', 'k-wrong'))).to.include({
      code: 'PERMISSION_DENIED',
      reason: 'engine_error',
    });
    expect(await failureOf(translate('es'))).to.include({ code: 'FAILED_PRECONDITION', reason: 'engine_error' });
  });

  it('a language that LibreTranslate lacks is rejected at once', async () => {
    await start();
    const error = await failureOf(translate('fr'));
    expect(error).to.include({ code: 'FAILED_PRECONDITION', reason: 'engine_error' });
    expect(error.message).to.contain('rejected the request with 400');
  });

  it('LibreTranslate’s limit of requests is waited for as RESOURCE_EXHAUSTED', async () => {
    await start('', '--req-limit', String(sentences.length));
    expect(await translate('es')).to.have.length(sentences.length);
    expect(await failureOf(translate('es'))).to.include({ code: 'RESOURCE_EXHAUSTED', reason: 'engine_error' });
  });
});
