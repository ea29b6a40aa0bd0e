import { expect } from 'chai';
import { createLogger } from '@vds/chassis/telemetry/log';
import { coverageLines, coverageOf } from '../src/domain/coverage.ts';
import { findRoutes } from '../src/domain/routes.ts';
import { openCoverage } from '../src/outbound/coverage.ts';

function step(from: string, to: string) {
  return { from, to, weight: 1 };
}
const routes = findRoutes([step('en', 'es'), step('es', 'pt'), step('en', 'fr')]);

describe('coverage', () => {
  it('is one readable line for each language that is heard', () => {
    const found = coverageOf({ speechLanguages: ['en'], routes }, ['en', 'es', 'pt', 'fr', 'de']);
    expect(found).to.deep.include({ source: 'en', target: 'pt', path: ['en', 'es', 'pt'] });
    expect(coverageLines(found)).to.deep.equal(['en → 3 of 4: es pt<es fr; no way to de']);
  });

  it('is of the operator’s own languages where an engine hears any', () => {
    const sources = coverageOf({ speechLanguages: ['*'], routes }, ['en', 'pt-BR']).map(({ source }) => source);
    expect(sources).to.deep.equal(['en', 'pt']);
  });

  it('is nothing while an engine is away', () => {
    expect(coverageOf({ speechLanguages: ['en'], routes: undefined }, ['es'])).to.deep.equal([]);
    expect(coverageOf({ speechLanguages: undefined, routes }, ['es'])).to.deep.equal([]);
  });
});

describe('looking at the engines', () => {
  const open = () => {
    const at = { now: 0, asked: 0, isAway: false, holds: Promise.resolve() };
    const pairs = async () => {
      at.asked += 1;
      await at.holds;
      if (at.isAway) throw new Error('away');
      return [step('en', 'es')];
    };
    const coverage = openCoverage({
      speech: { name: 'ears', languages: async () => ['en'], transcribe: async () => [] },
      translation: { name: 'tongue', pairs, translate: async () => [] },
      everyMs: 30_000,
      log: createLogger('test', 'fatal'),
      now: () => at.now,
    });
    const look = async (): Promise<string> =>
      coverage.translations().then(
        () => 'there',
        (error: { code?: string }) => error.code ?? 'thrown',
      );
    return { at, coverage, look };
  };

  it('is done once for all who want to know at the same time, and not again for a while', async () => {
    const { at, look } = open();
    expect(await Promise.all([look(), look(), look()])).to.deep.equal(['there', 'there', 'there']);
    await look();
    expect(at.asked).to.equal(1);
    at.now = 300_001;
    await look();
    expect(at.asked).to.equal(2);
  });

  it('asks one that is away again, but not at every turn', async () => {
    const { at, look } = open();
    at.isAway = true;
    expect([await look(), await look()]).to.deep.equal(['UNAVAILABLE', 'UNAVAILABLE']);
    expect(at.asked).to.equal(1);
    at.now = 30_000;
    at.isAway = false;
    expect([await look(), at.asked]).to.deep.equal(['there', 2]);
  });

  it('asks at once after a call has failed, or on demand', async () => {
    const { at, coverage, look } = open();
    await look();
    coverage.doubtTranslation();
    await look();
    expect(at.asked).to.equal(2);
    await coverage.known(true);
    expect(at.asked).to.equal(3);
  });

  it('takes what was seen last from an engine that does not answer in time', async () => {
    const { at, coverage } = open();
    await coverage.known();
    at.holds = new Promise(() => {});
    expect((await coverage.known(true, 20)).routes?.('en', 'es')).to.deep.equal(['en', 'es']);
  });

  it('leaves open what cannot be asked', async () => {
    const { at, coverage } = open();
    at.isAway = true;
    const known = await coverage.known();
    expect(known.routes).to.equal(undefined);
    expect(known.speechLanguages).to.deep.equal(['en']);
  });
});
