/**
 * Disruptions of a running release under load, as operators cause them: no partner and no viewer notices, and no video
 * is lost.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { smallSample } from '@vds/testkit/media/make-samples';
import { serviceNames } from '@vds/deploy-tools/services';
import { skipBecause } from '@vds/testkit/skip';
import { until } from '@vds/testkit/until';
import { command } from '../harness/cluster/command.ts';
import { productChart, releaseValues } from '../harness/cluster/install.ts';
import { allPodsReady, kubectl, podsOf, release } from '../harness/cluster/release.ts';
import { restartServer } from '../harness/cluster/servers.ts';
import type { Target } from '../harness/host/host.ts';
import type { Partner, VideoRecord } from '../harness/partner-client.ts';
import { theCluster } from '../harness/shared-target.ts';
import { beginFlow, mostRepeats, type Flow } from './flow.ts';
import { beginLoad, merge, type RequestKind, type Load, type Tally } from './load.ts';

const PER_SECOND = 25;

let requests = 0;

/** Half of each kind of request uses a new connection: a kept one always leads to the same replica. */
async function statusOf(url: string, how: RequestInit = {}): Promise<number> {
  const own = requests++ % 4 < 2 ? { connection: 'close' } : {};
  const headers = { ...(how.headers as Record<string, string>), ...own };
  const response = await fetch(url, { ...how, headers, signal: AbortSignal.timeout(30_000) });
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
  return [
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
}

function kindsOf({ failures }: Tally): string[] {
  return [...new Set(failures.map(({ what, how }) => `${what} ${how}`))];
}

function shown(tally: Tally): string {
  const failed = [`${tally.failures.length} failed`, ...kindsOf(tally)].join(', ');
  return `${tally.sent} requests, ${failed}, slowest ${tally.slowestMs.toFixed(0)} ms`;
}

describe('a release under load', function () {
  this.timeout(1_200_000);
  let target: Target;
  let partner: Partner;
  let load: Load;
  let flow: Flow;

  before(async function () {
    target = await theCluster(this);
    partner = await target.newPartner('Disruptions');
    const file = await smallSample();
    flow = await beginFlow(target, partner, file, 15_000);
    const first = await until(() => Promise.resolve(flow.ids[0]), { capMs: 60_000, what: 'the first video' });
    const kinds = await usualRequests(target, partner, await partner.settled(first));
    load = beginLoad(PER_SECOND, kinds);
    await sleep(5_000);
    expect(tally().failures).to.deep.equal([]);
  });
  after(() => load?.end());

  const tally = (): Tally => merge(load.tally(), flow.tally());

  /**
   * Runs the disruption, waits until the release is stable, and returns what the load saw from the start until some
   * seconds after.
   */
  const during = async (work: () => Promise<unknown>): Promise<Tally> => {
    tally();
    const from = performance.now();
    await work();
    await until(allPodsReady, { capMs: 600_000, everyMs: 1_000, what: 'every pod to be ready' });
    await sleep(5_000);
    const tallied = tally();
    console.log(`      ${shown(tallied)}, ${((performance.now() - from) / 1_000).toFixed(0)} s`);
    return tallied;
  };

  const upgrade = (tag: string) => {
    const options = ['--namespace', release.namespace, '--wait', '--timeout', '10m', '--set', `image.tag=${tag}`];
    return command('helm', ['upgrade', release.name, productChart, ...releaseValues(), ...options]);
  };
  const restartAll = async (): Promise<void> => {
    const all = serviceNames.map((name) => `deployment/${release.name}-${name}`);
    await kubectl(['rollout', 'restart', ...all]);
    for (const one of all) await kubectl(['rollout', 'status', one, '--timeout', '600s']);
  };

  it('a release is upgraded to new images without a failed request', async function () {
    const next = process.env['VDS_IMAGE_NEXT_TAG'];
    if (next === undefined) return skipBecause(this, 'VDS_IMAGE_NEXT_TAG names no second set of images');
    expect((await during(() => upgrade(next))).failures).to.deep.equal([]);
  });

  it('a release is rolled back without a failed request', async function () {
    if (process.env['VDS_IMAGE_NEXT_TAG'] === undefined) return skipBecause(this, 'it was not upgraded');
    const back = ['rollback', release.name, '--namespace', release.namespace, '--wait', '--timeout', '10m'];
    expect((await during(() => command('helm', back))).failures).to.deep.equal([]);
  });

  it('every component is restarted without a failed request', async () => {
    expect((await during(restartAll)).failures).to.deep.equal([]);
  });

  for (const grace of [60, 0]) {
    it(`one pod of each component is deleted ${grace > 0 ? 'gracefully' : 'with force'} without a failed request`, async () => {
      const tallied = await during(async () => {
        for (const name of serviceNames) {
          const [pod] = await podsOf(name);
          const how = grace > 0 ? [] : ['--grace-period', '0', '--force'];
          await kubectl(['delete', 'pod', pod?.metadata.name ?? '', '--wait=false', ...how]);
          await until(allPodsReady, { capMs: 300_000, everyMs: 1_000, what: `${name} to be back` });
        }
      });
      expect(tallied.failures).to.deep.equal([]);
    });
  }

  for (const server of ['nats', 'opensearch'] as const) {
    it(`${server} is restarted without a failed request`, async () => {
      expect((await during(() => restartServer(target.site, server))).failures).to.deep.equal([]);
    });
  }

  it('a release returns only its documented 500 while Postgres is down', async () => {
    const tallied = await during(() => restartServer(target.site, 'postgres'));
    const documented = ['GET 500', 'POST 500', 'POST of nothing 500'];
    expect(kindsOf(tallied).filter((one) => !documented.includes(one))).to.deep.equal([]);
  });

  it('after all disruptions no video is lost, and at most one piece of each was encoded twice', async () => {
    const records = await flow.end(600_000);
    const ends = new Map<string, number>();
    for (const { status } of records) ends.set(status, (ends.get(status) ?? 0) + 1);
    const repeats = await mostRepeats(target, flow.ids);
    console.log(`      ${flow.ids.length} videos: ${[...ends].map(([end, n]) => `${n} ${end}`).join(', ')}`);
    expect([...ends.keys()]).to.deep.equal(['ready']);
    expect(repeats?.pieces).to.be.at.most(1);
    expect(repeats?.job).to.be.at.most(1);
  });
});
