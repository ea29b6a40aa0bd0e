/**
 * Whichever process is killed, and even if JetStream loses everything, the video becomes ready and nothing is
 * duplicated.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { makeSample } from '@vds/testkit/media/make-samples';
import { pairs } from '@vds/testkit/media/sample-list';
import { serveSlowly } from '@vds/testkit/origin/routes';
import { runningPid } from '@vds/testkit/servers/detached';
import { wipeNats } from '@vds/testkit/servers/nats';
import { startOpenSearch } from '@vds/testkit/servers/opensearch';
import { openSettings } from '@vds/testkit/servers/settings';
import { until } from '@vds/testkit/until';
import { spokenClip } from '../chaos/short-clips.ts';
import { walkHls } from '../hls/walk.ts';
import { appsOf, bare, type Apps } from '../harness/apps-client.ts';
import type { HostTarget } from '../harness/host/host.ts';
import { leftoversOf } from '../probes/leftovers.ts';
import type { Partner, VideoRecord } from '../harness/partner-client.ts';
import { theHost } from '../harness/shared-target.ts';

describe('a fault in the middle of a run', () => {
  let target: HostTarget;
  let partner: Partner;
  let file: string;
  let clip: string;
  let apps: Apps;
  before(async function () {
    this.timeout(180_000);
    target = await theHost(this);
    partner = await target.newPartner('Faults');
    file = await makeSample(pairs.find((one) => one.width === 1_280 && one.codec === 'h264') ?? pairs[0]!);
    clip = await spokenClip();
    apps = appsOf(target.stack);
  });
  after(() => apps?.close());

  /** About three seconds of fetching, so that a fault can hit every stage. */
  const submit = (source = file): Promise<string> => {
    const path = `/fault-${Math.random().toString(36).slice(2)}.mov`;
    target.origin.route(path, serveSlowly(source, 400_000));
    return partner.submit(target.origin.url(path));
  };
  const reaches = (id: string, share: number): Promise<unknown> =>
    until(
      async () => {
        const { status, progress = 0 } = await partner
          .get(id)
          .catch((): Partial<VideoRecord> => ({ status: 'processing', progress: 0 }));
        return status !== 'processing' || progress >= share;
      },
      { capMs: 120_000, everyMs: 50, what: `${share} % of ${id}` },
    );

  /** One row, one charge, one attempt's objects, one set of finished jobs. */
  const isSingle = async (id: string): Promise<void> => {
    const record = await partner.settled(id);
    expect(record.status, JSON.stringify(record.failure)).to.equal('ready');
    const { playback_id: playbackId = '', hls_url: hlsUrl = '' } = record.playback ?? {};
    const walk = await walkHls(`${hlsUrl}?token=${await target.mint(playbackId)}`, target.scratch(id));
    expect(walk.breaches).to.deep.equal([]);
    const attempts = new Set((await leftoversOf(target.site, id)).map((key) => key.split('/')[2]));
    expect([...attempts]).to.deep.equal(['1']);
    const { rows } = await target.stack
      .adminPool('catalog')
      .query('SELECT count(*)::int AS n FROM videos WHERE id = $1', [bare(id)]);
    expect(rows).to.deep.equal([{ n: 1 }]);
  };

  /** Every track is final, once; the index has one document in its newest version. */
  const isWhole = async (id: string): Promise<void> => {
    await isSingle(id);
    await partner.tracksReady(id, 17);
    const folders = (await leftoversOf(target.site, id)).flatMap(
      (key) => /\/([^/]+)\.\d+-[0-9a-f]+\/track\.json$/.exec(key)?.[1] ?? [],
    );
    expect(folders.toSorted()).to.deep.equal([...new Set(folders)].toSorted());
    await until(() => apps.finds('striker', id), { capMs: 60_000, what: 'the spoken word in search' });
    const { rows } = await target.stack
      .adminPool('catalog')
      .query<{ version: number }>('SELECT version FROM videos WHERE id = $1', [bare(id)]);
    const newest = async (): Promise<boolean> => (await apps.indexed(id)).version === rows[0]?.version;
    await until(newest, { capMs: 60_000, what: 'the newest version in the index' });
  };
  const stageIs = (id: string, stage: string, states: readonly string[]): Promise<unknown> =>
    until(
      async () => {
        const { rows } = await target.stack
          .adminPool('catalog')
          .query('SELECT 1 FROM stages WHERE video_id = $1 AND stage = $2 AND state = ANY($3)', [
            bare(id),
            stage,
            states,
          ]);
        return rows.length > 0;
      },
      { capMs: 120_000, everyMs: 10, what: `${stage} of ${id} is ${states.join(' or ')}` },
    );

  for (const [service, stage] of [
    ['captions', 'captions'],
    ['metadata', 'metadata'],
    ['indexer', 'encode'],
  ] as const) {
    it(`a video becomes ready, once, after kill -9 of ${service}`, async function () {
      this.timeout(300_000);
      const id = await submit(clip);
      await stageIs(id, stage, ['started', 'completed']);
      const victims = target.stack.processes.filter((one) => one.service === service);
      await Promise.all(victims.map((one) => one.kill('SIGKILL')));
      await sleep(300);
      await Promise.all(victims.map((one) => one.restart()));
      await isWhole(id);
    });
  }

  it('a video becomes ready, once, after kill -9 of OpenSearch', async function () {
    this.timeout(300_000);
    const id = await submit(clip);
    await stageIs(id, 'captions', ['started', 'completed']);
    const { dir } = target.stack.servers.nats;
    const pid = runningPid(dir, 'opensearch');
    if (pid === null) throw new Error('OpenSearch does not run');
    process.kill(pid, 'SIGKILL');
    await until(() => runningPid(dir, 'opensearch') === null, { what: 'the end of OpenSearch' });
    await partner.settled(id);
    await startOpenSearch(dir, await openSettings(dir, false));
    await isWhole(id);
  });

  for (const service of ['gateway', 'auth', 'catalog', 'ingest', 'transcode', 'playback'] as const) {
    it(`a video becomes ready, once, after kill -9 of ${service}`, async function () {
      this.timeout(300_000);
      const id = await submit();
      await reaches(id, service === 'transcode' ? 25 : 5);
      const victims = target.stack.processes.filter((one) => one.service === service);
      await Promise.all(victims.map((one) => one.kill('SIGKILL')));
      await sleep(300);
      await Promise.all(victims.map((one) => one.restart()));
      await isSingle(id);
    });
  }

  it('videos become ready, once, after a wipe of the whole JetStream store', async function () {
    this.timeout(300_000);
    const ids = [await submit(), await submit(), await submit()];
    await reaches(ids[0] ?? '', 5);
    const begun = Date.now();
    const { dir } = target.stack.servers.nats;
    await wipeNats(dir, await openSettings(dir, false));
    for (const id of ids) await isSingle(id);
    console.log(`      all three ready ${Math.round((Date.now() - begun) / 1_000)} s after the wipe`);
  });
});
