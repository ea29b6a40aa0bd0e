import { expect } from 'chai';
import { createLogger } from '@vds/chassis/telemetry/log';
import { coverageLines, coverageOf } from '../src/domain/coverage.ts';
import { findRoutes } from '../src/domain/routes.ts';
import { openCoverage } from '../src/outbound/coverage.ts';

function step(from: string, to: string) {
  return { from, to, weight: 1 };
}
const routes = findRoutes([step('en', 'es'), step('es', 'pt'), step('en', 'fr')]);

describe('coverageOf and coverageLines', () => {
  it('coverageLines prints one readable line for each language that can be transcribed', () => {
    const found = coverageOf({ speechLanguages: ['en'], routes }, ['en', 'es', 'pt', 'fr', 'de']);
    expect(found).to.deep.include({ source: 'en', target: 'pt', path: ['en', 'es', 'pt'] });
    expect(coverageLines(found)).to.deep.equal(['en → 3 of 4: es pt<es fr; no route to de']);
  });

  it('coverage uses the operator’s own languages where the speech engine transcribes any', () => {
    const sources = coverageOf({ speechLanguages: ['*'], routes }, ['en', 'pt-BR']).map(({ source }) => source);
    expect(sources).to.deep.equal(['en', 'pt']);
  });

  it('coverage is empty while an engine is unavailable', () => {
    expect(coverageOf({ speechLanguages: ['en'], routes: undefined }, ['es'])).to.deep.equal([]);
    expect(coverageOf({ speechLanguages: undefined, routes }, ['es'])).to.deep.equal([]);
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
    expect((await coverage.capabilities({ force: true, timeoutMs: 20 })).routes?.('en', 'es')).to.deep.equal([
      'en',
      'es',
    ]);
  });

  it('coverage leaves undefined what an unavailable engine would report', async () => {
    const { engine, coverage } = open();
    engine.isAvailable = false;
    const capabilities = await coverage.capabilities();
    expect(capabilities.routes).to.equal(undefined);
    expect(capabilities.speechLanguages).to.deep.equal(['en']);
  });
});
