import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { provenUnits } from '@vds/testkit/specification/proofs';
import type { TestResult } from './reporter.ts';
import { coverageOf, reportCoverage } from './spec-coverage.ts';
import { runFailed, summary } from './summary.ts';

const table = provenUnits({
  tests: { 'a.test.ts': { video: 'a video plays', codecs: 'a source of ${sample.name} plays' } },
  sentences: {
    '§1': {
      'Videos play.': ['video'],
      'Every codec plays.': ['codecs'],
      'Keys belong on backends.': { advice: 'a key of a browser is everybody’s' },
      'Clips take about 90 seconds.': { bench: 'pipeline' },
      'Access is invite-only.': { agreement: 'outside of the software' },
    },
  },
});
function ran(name: string, more: Partial<TestResult> = {}): TestResult {
  const passed = {
    title: `a suite ${name}`,
    name,
    file: '/repo/a.test.ts',
    state: 'passed',
    ms: 1,
    assertions: 2,
  } as const;
  return { ...passed, ...more };
}
const good = [ran('a video plays'), ran('a source of mp4 plays'), ran('a source of webm plays')];
function coverage(results: readonly TestResult[]) {
  return coverageOf(table, results, {
    isBench: (name) => name === 'pipeline',
    pathOf: (file) => file.replace('/repo/', ''),
  });
}

describe('the coverage of the specification by a run', () => {
  it('rows are proven by tests that passed with an assertion, and others carry one of three reasons', () => {
    const { proven, reasons, unproven } = coverage(good);
    expect([proven, unproven]).to.deep.equal([2, []]);
    expect(Object.fromEntries(reasons)).to.deep.equal({ advice: 1, bench: 1, agreement: 1 });
  });

  it('three tests that are skipped on purpose leave their rows unproven, and so does one that asserts nothing', () => {
    const skipped = good.map((result) => ({ ...result, state: 'skipped' as const }));
    expect(coverage(skipped).unproven).to.deep.equal([
      '§1: Videos play. (a.test.ts: a video plays: skipped)',
      '§1: Every codec plays. (a.test.ts: a source of ${sample.name} plays: skipped)',
    ]);
    const [video, ...sources] = good;
    expect(coverage([...sources, { ...video!, assertions: 0 }]).unproven.join()).to.include('asserts nothing');
  });

  it('a test that is missing, renamed or in another file leaves its row unproven, and so does one failed case of many', () => {
    const [video, ...sources] = good;
    expect(coverage(sources).unproven.join()).to.include('a video plays: missing');
    expect(coverage([...sources, { ...video!, name: 'a clip plays' }]).unproven).to.have.length(1);
    expect(coverage([...sources, { ...video!, file: '/repo/b.test.ts' }]).unproven).to.have.length(1);
    expect(coverage([...good, ran('a source of mov plays', { state: 'failed' })]).unproven.join()).to.include('failed');
  });

  it('a row without tests and without a reason is unproven, and so is one that names a bench that there is none of', () => {
    const bare = provenUnits({ tests: {}, sentences: { '§1': { 'Nothing.': [], 'Fast.': { bench: 'none' } } } });
    const options = { isBench: () => false, pathOf: (file: string) => file };
    expect(coverageOf(bare, [], options).unproven).to.have.length(2);
  });

  it('a name that no test has, and a test that no row names, are errors of the table', () => {
    const named = { tests: {}, sentences: { '§1': { 'Nothing.': ['video'] } } };
    expect(() => provenUnits(named)).to.throw('no test video');
    const spare = { tests: { 'a.test.ts': { video: 'a video plays' } }, sentences: {} };
    expect(() => provenUnits(spare)).to.throw('no sentence names the tests video');
  });

  it('rows that a run has not proven are failed tests of its summary, so that its last lines name them', () => {
    const { unproven } = reportCoverage(fileURLToPath(new URL('../..', import.meta.url)), []);
    expect(runFailed([unproven])).to.equal(true);
    expect(summary([unproven])).to.match(/^FAILED   specification: §1: .* not proven/m);
  });
});
