/** The usual requests of partners and viewers to a release in a cluster, with videos submitted at the same time. */
import { expect } from 'chai';
import { smallSample } from '@vds/testkit/media/make-samples';
import { lasts, until } from '@vds/testkit/until';
import { allPodsReady, release } from '../harness/cluster/release.ts';
import type { Target } from '../harness/host/host.ts';
import type { Partner, VideoRecord } from '../harness/partner-client.ts';
import { beginFlow, type Flow } from './flow.ts';
import { beginLoad, merge, type RequestKind, type Tally } from './load.ts';

const PER_SECOND = 25;
/** Time that clients give a request before they send it again. */
const CLIENT_WAITS_MS = 10_000;

let requests = 0;

/** Half of each kind of request uses a new connection: a kept one always leads to the same replica. */
async function statusOf(url: string, how: RequestInit = {}): Promise<number> {
  const own = requests++ % 4 < 2 ? { connection: 'close' } : {};
  const headers = { ...(how.headers as Record<string, string>), ...own };
  const response = await fetch(url, { ...how, headers, signal: AbortSignal.timeout(CLIENT_WAITS_MS) });
  await response.arrayBuffer();
  return response.status;
}

/** The first address in a playlist. */
async function firstIn(playlist: string): Promise<string> {
  const lines = (await (await fetch(playlist)).text()).split('\n');
  const [first] = lines.filter((line) => line !== '' && !line.startsWith('#'));
  if (first === undefined) throw new Error('a playlist names nothing');
  return new URL(first, playlist).href;
}

/** Continuous requests of partners and viewers, about one video that is ready. */
async function usualRequests(target: Target, partner: Partner, record: VideoRecord): Promise<RequestKind[]> {
  const playbackId = record.playback?.playback_id ?? '';
  const token = await target.mint(playbackId, 3_600_000);
  const master = `${release.playbackUrl}/p/${token}/${playbackId}/master.m3u8`;
  const segment = await firstIn(await firstIn(master));
  const video = `${release.gatewayUrl}/v1/videos/${record.id}`;
  const authorization = { authorization: `Bearer ${partner.key}` };
  const wrong = { method: 'POST', headers: { ...authorization, 'content-type': 'application/json' }, body: '{}' };
  const kinds: RequestKind[] = [
    { what: 'GET', expected: 200, send: () => statusOf(video, { headers: authorization }) },
    { what: 'playlist', expected: 200, send: () => statusOf(master) },
    { what: 'GET without a key', expected: 401, send: () => statusOf(video) },
    { what: 'segment', expected: 200, send: () => statusOf(segment) },
    { what: 'POST of nothing', expected: 400, send: () => statusOf(`${release.gatewayUrl}/v1/videos`, wrong) },
    {
      what: 'thumbnail',
      expected: 200,
      send: () => statusOf(`${release.playbackUrl}/t/${playbackId}.jpg`),
    },
  ];
  return kinds.map((kind) => ({ ...kind, repeatable: true }));
}

/** The different failures of a load. */
export function kindsOf({ failures }: Tally): string[] {
  return [...new Set(failures.map(({ what, how }) => `${what} ${how}`))];
}

function shown(tally: Tally): string {
  const failed = [`${tally.failures.length} failed (${tally.lost} twice)`, ...kindsOf(tally)].join(', ');
  return `${tally.sent} requests, ${failed}, slowest ${tally.slowestMs.toFixed(0)} ms`;
}

/** What a disruption breaks shows within this time. */
const SETTLES_MS = 5_000;

export type ReleaseLoad = {
  readonly flow: Flow;
  /**
   * Runs the disruption, waits until the release is stable, and returns what the load saw from the start until some
   * seconds after.
   */
  readonly during: (work: () => Promise<unknown>) => Promise<Tally>;
  /** Ends the requests, not the videos. */
  readonly end: () => Promise<unknown>;
};

/** Starts the load; returns after some seconds without a failure. */
export async function beginReleaseLoad(target: Target, publisher: string): Promise<ReleaseLoad> {
  const partner = await target.newPartner(publisher);
  const flow = await beginFlow(target, partner, await smallSample(), 15_000);
  const first = await until(() => Promise.resolve(flow.ids[0]), { capMs: 60_000, what: 'the first video' });
  const load = beginLoad(PER_SECOND, await usualRequests(target, partner, await partner.settled(first)));
  const tally = (): Tally => merge(load.tally(), flow.tally());
  await lasts(SETTLES_MS);
  expect(tally().failures).to.deep.equal([]);
  const during = async (work: () => Promise<unknown>): Promise<Tally> => {
    tally();
    const from = performance.now();
    await work();
    await until(allPodsReady, { capMs: 600_000, everyMs: 1_000, what: 'every pod to be ready' });
    await lasts(SETTLES_MS);
    const tallied = tally();
    console.log(`      ${shown(tallied)}, ${((performance.now() - from) / 1_000).toFixed(0)} s`);
    return tallied;
  };
  return { flow, during, end: load.end };
}
