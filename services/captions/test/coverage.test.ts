import { expect } from 'chai';
import { createLogger } from '@vds/chassis/telemetry/log';
import { coverageLines, coverageOf } from '../src/domain/coverage.ts';
import { findRoutes, routesThrough } from '../src/domain/routes.ts';
import { openCoverage } from '../src/outbound/coverage.ts';
import type { SpeechEngine } from '../src/outbound/engines/speech-engine.ts';

function step(from: string, to: string) {
  return { from, to, weight: 1 };
}
const paths = findRoutes([step('en', 'es'), step('es', 'pt'), step('en', 'fr'), step('es', 'en')]);
function known(speechLanguages: readonly string[], speechToEnglish = false) {
  return { speechLanguages, routes: routesThrough(paths, speechToEnglish), speechToEnglish };
}

describe('coverageOf and coverageLines', () => {
  it('coverageLines prints one readable line for each language that can be transcribed', () => {
    const found = coverageOf(known(['en']), ['en', 'es', 'pt', 'fr', 'de']);
    expect(found).to.deep.include({ source: 'en', target: 'pt', path: ['en', 'es', 'pt'], fromSpeech: false });
    expect(coverageLines(found)).to.deep.equal(['en → 3 of 4: es pt<es fr; no route to de']);
  });

  it('coverageLines marks routes that begin with English made of the sound, and says so once', () => {
    const found = coverageOf(known(['en', 'es', 'ko', 'sw'], true), ['en', 'es', 'pt', 'de']);
    expect(found).to.deep.include({ source: 'ko', target: 'pt', path: ['ko', 'en', 'es', 'pt'], fromSpeech: true });
    expect(coverageLines(found)).to.deep.equal([
      'en → 2 of 3: es pt<es; no route to de',
      'es → 2 of 3: en pt; no route to de',
      'ko sw → 3 of 4: en* es<en* pt<es<en*; no route to de',
      '* through English that the speech engine makes of the sound',
    ]);
  });

  it('coverage uses the operator’s own languages where the speech engine transcribes any', () => {
    const sources = coverageOf(known(['*']), ['en', 'pt-BR']).map(({ source }) => source);
    expect(sources).to.deep.equal(['en', 'pt']);
  });

  it('coverage is empty while an engine is unavailable', () => {
    expect(coverageOf({ ...known(['en']), routes: undefined }, ['es'])).to.deep.equal([]);
    expect(coverageOf({ ...known([]), speechLanguages: undefined }, ['es'])).to.deep.equal([]);
  });
});

describe('openCoverage', () => {
  const open = () => {
    const engine = { now: 0, queries: 0, isAvailable: true, delay: Promise.resolve() };
    const pairs = async () => {
      engine.queries += 1;
      await engine.delay;
      if (!engine.isAvailable) throw new Error('unavailable');
      return [step('en', 'es')];
    };
    const coverage = openCoverage({
      speech: { name: 'speech', languages: async () => ['en'], transcribe: async () => [] },
      translation: { name: 'translation', pairs, translate: async () => [] },
      everyMs: 30_000,
      log: createLogger('test', 'fatal'),
      now: () => engine.now,
    });
    const queryRoutes = async (): Promise<string> =>
      coverage.routes().then(
        () => 'available',
        (error: { code?: string }) => error.code ?? 'thrown',
      );
    return { engine, coverage, queryRoutes };
  };

  it('coverage queries an engine once for all concurrent callers, and not again for five minutes', async () => {
    const { engine, queryRoutes } = open();
    expect(await Promise.all([queryRoutes(), queryRoutes(), queryRoutes()])).to.deep.equal([
      'available',
      'available',
      'available',
    ]);
    await queryRoutes();
    expect(engine.queries).to.equal(1);
    engine.now = 300_001;
    await queryRoutes();
    expect(engine.queries).to.equal(2);
  });

  it('coverage queries an unavailable engine again, but not at every call', async () => {
    const { engine, queryRoutes } = open();
    engine.isAvailable = false;
    expect([await queryRoutes(), await queryRoutes()]).to.deep.equal(['UNAVAILABLE', 'UNAVAILABLE']);
    expect(engine.queries).to.equal(1);
    engine.now = 30_000;
    engine.isAvailable = true;
    expect([await queryRoutes(), engine.queries]).to.deep.equal(['available', 2]);
  });

  it('coverage queries an engine at once after a failed call, or on demand', async () => {
    const { engine, coverage, queryRoutes } = open();
    await queryRoutes();
    coverage.invalidateTranslation();
    await queryRoutes();
    expect(engine.queries).to.equal(2);
    await coverage.capabilities({ force: true });
    expect(engine.queries).to.equal(3);
  });

  it('coverage uses the last response of an engine that does not respond in time', async () => {
    const { engine, coverage } = open();
    await coverage.capabilities();
    engine.delay = new Promise(() => {});
    const { routes } = await coverage.capabilities({ force: true, timeoutMs: 20 });
    expect(routes?.('en', 'es')?.path).to.deep.equal(['en', 'es']);
  });

  it('coverage has English made of the sound where the speech engine can make it, and not otherwise', async () => {
    const transcribe = async () => [];
    const languages = async () => ['ko'];
    const capabilitiesOf = (speech: Partial<SpeechEngine>) =>
      openCoverage({
        speech: { name: 'speech', languages, transcribe, ...speech },
        translation: { name: 'translation', pairs: async () => [], translate: async () => [] },
        everyMs: 30_000,
        log: createLogger('test', 'fatal'),
      }).capabilities();
    const [can, cannot] = [await capabilitiesOf({ toEnglish: transcribe }), await capabilitiesOf({})];
    expect([can.speechToEnglish, cannot.speechToEnglish]).to.deep.equal([true, false]);
    expect(can.routes?.('ko', 'en')).to.deep.equal({ from: 'speech', path: ['ko', 'en'] });
    expect(cannot.routes?.('ko', 'en')).to.equal(undefined);
  });

  it('coverage leaves undefined what an unavailable engine would report', async () => {
    const { engine, coverage } = open();
    engine.isAvailable = false;
    const capabilities = await coverage.capabilities();
    expect(capabilities.routes).to.equal(undefined);
    expect(capabilities.speechLanguages).to.deep.equal(['en']);
  });
});
