/** A long video in many chunks over two replicas, and their metrics. */
import { expect } from 'chai';
import { until } from '@vds/testkit/until';
import { newVideoId } from '@vds/testkit/harness/stand-in-catalog';
import { publishRequest, requestFor, terminalEvent, stateOf, allStates, statusCounts } from './catalog.ts';
import type { Worker } from './harness.ts';
import { putRendition, silence } from './sounds.ts';
import { usualOutcome, withServers, type WithServers } from './with-servers.ts';

async function metricsOf({ ports }: Worker): Promise<string> {
  return (await fetch(`http://127.0.0.1:${ports.admin}/metrics`)).text();
}

/** Sum of a metric's samples whose labels contain `labels`. */
function sum(metrics: string, name: string, labels = ''): number {
  return metrics
    .split('\n')
    .filter((line) => line.startsWith(name) && line.includes(labels))
    .reduce((total, line) => total + Number(line.split(' ').at(-1)), 0);
}

describe('captions of a long video', function () {
  this.timeout(90_000);
  let setup: WithServers;
  /** The metrics of each replica before the test. */
  let earlier: string[];
  before(async () => {
    setup = await withServers();
    earlier = await Promise.all(setup.workers().map(metricsOf));
  });
  /** The increase of a counter on each replica. */
  const grown = async (name: string, labels?: string): Promise<number[]> => {
    const now = await Promise.all(setup.workers().map(metricsOf));
    return now.map((metrics, index) => sum(metrics, name, labels) - sum(earlier[index] ?? '', name, labels));
  };
  const total = async (name: string, labels?: string): Promise<number> =>
    (await grown(name, labels)).reduce((a, b) => a + b);

  it('a long video is transcribed in chunks by all replicas, and rendered once', async () => {
    const videoId = newVideoId();
    const key = await putRendition(setup.harness, videoId, [silence(120)]);
    const before = setup.engines.count('speech');
    const release = setup.engines.hold('speech');
    await publishRequest(setup.harness, requestFor(videoId, key, { durationMs: 120_000 }));
    await until(() => setup.engines.count('speech') === before + 2, {
      what: 'two chunks are transcribed concurrently',
    });
    release();
    const state = stateOf(await terminalEvent(setup.harness, videoId));
    expect(statusCounts(state)).to.deep.equal(usualOutcome);
    expect(setup.engines.count('speech')).to.equal(before + 10);
    const { sentences } = JSON.parse(await setup.harness.read(state.transcriptKey ?? '')) as { sentences: unknown[] };
    // Each chunk contains two sentences; words within an overlap are not doubled.
    expect(sentences).to.have.length.within(11, 20);
    const seconds = await grown('vds_captions_speech_seconds_total');
    for (const share of seconds) expect(share).to.be.greaterThan(0);
    expect(seconds.reduce((a, b) => a + b)).to.be.within(170, 180);
    expect(setup.harness.of(videoId, 'captions.completed')).to.have.length(1);
  });

  it('every language is settled once, even if replicas finish several at the same time', async () => {
    const made = await Promise.all(Array.from({ length: 4 }, () => setup.makeCaptions()));
    for (const { videoId, state } of made) {
      expect(statusCounts(state)).to.deep.equal(usualOutcome);
      const revisions = (await allStates(setup.harness, videoId, state.revision)).map(({ revision }) => revision);
      expect(revisions).to.deep.equal(revisions.map((_revision, index) => index + 1));
      expect(setup.harness.of(videoId, 'captions.completed')).to.have.length(1);
    }
  });

  it('metrics count tracks by their outcome, and calls of engines with their duration', async () => {
    expect(await total('vds_captions_tracks_total', 'status="ready"')).to.equal(20);
    expect(await total('vds_captions_tracks_total', 'reason="no_path"')).to.equal(5);
    const translations = 'engine="libretranslate",kind="translation"';
    expect(await total('vds_captions_engine_seconds_count', translations)).to.be.at.least(15);
    expect(await total('vds_captions_engine_errors_total')).to.equal(0);
    expect(earlier[0]).to.include('# TYPE vds_work_ready gauge');
  });
});
