/**
 * Whichever process is killed, and even if JetStream loses everything, the video becomes ready and nothing is
 * duplicated. Each is killed while a video is at work in it, and all are judged together.
 */
import { statSync } from 'node:fs';
import { serveSlowly } from '@vds/testkit/origin/routes';
import { runningPid } from '@vds/testkit/servers/detached';
import { wipeNats } from '@vds/testkit/servers/nats';
import { startOpenSearch } from '@vds/testkit/servers/opensearch';
import { openSettings } from '@vds/testkit/servers/settings';
import { until } from '@vds/testkit/until';
import { spokenClip } from '../chaos/short-clips.ts';
import { appsOf, bare, type Apps } from '../harness/apps-client.ts';
import type { HostTarget } from '../harness/host/host.ts';
import { becomesReady } from '../harness/judge/whole-videos.ts';
import type { Partner } from '../harness/partner-client.ts';
import { faultsStack } from './faults-stack.ts';

/** Each service, and a stage that is at work when it is killed. */
const killed = [
  ['gateway', 'fetch'],
  ['auth', 'fetch'],
  ['catalog', 'fetch'],
  ['ingest', 'fetch'],
  ['playback', 'fetch'],
  ['transcode', 'encode'],
  ['indexer', 'encode'],
  ['captions', 'captions'],
  ['metadata', 'metadata'],
] as const;
const FETCH_SECONDS = 2;

describe('a fault in the middle of a run', () => {
  let target: HostTarget;
  let partner: Partner;
  let clip: string;
  let apps: Apps;
  const ids = new Map<string, string>();
  before(async function () {
    this.timeout(300_000);
    target = await faultsStack(this);
    partner = await target.newPartner('Faults');
    clip = await spokenClip();
    apps = appsOf(target.stack);
    for (const [service, stage] of killed) {
      const id = await submit();
      ids.set(service, id);
      await isAtWork(id, stage);
      const victim = target.stack.process(service);
      await victim.kill('SIGKILL');
      await victim.restart();
    }
    ids.set('OpenSearch', await submit());
    await isAtWork(ids.get('OpenSearch') ?? '', 'captions');
    await killOpenSearch();
  });
  after(() => apps?.close());

  /** Some seconds of fetching, so that a fault can hit every stage. */
  async function submit(): Promise<string> {
    const path = `/fault-${Math.random().toString(36).slice(2)}.mp4`;
    target.origin.route(path, serveSlowly(clip, statSync(clip).size / FETCH_SECONDS));
    return partner.submit(target.origin.url(path), { language_code: 'en' });
  }

  async function isAtWork(id: string, stage: string): Promise<void> {
    const begun = `SELECT 1 FROM stages WHERE video_id = $1 AND stage = $2 AND state IN ('started', 'completed')`;
    const isBegun = async () => (await target.stack.adminPool('catalog').query(begun, [bare(id), stage])).rowCount;
    await until(isBegun, { capMs: 120_000, everyMs: 10, what: `${stage} of ${id} begins` });
  }

  async function killOpenSearch(): Promise<void> {
    const { dir } = target.stack.servers.nats;
    const pid = runningPid(dir, 'opensearch');
    if (pid === null) throw new Error('OpenSearch does not run');
    process.kill(pid, 'SIGKILL');
    await until(() => runningPid(dir, 'opensearch') === null, { what: 'the end of OpenSearch' });
    await startOpenSearch(dir, await openSettings(dir, false));
  }

  for (const victim of [...killed.map(([service]) => service), 'OpenSearch'])
    it(`a video becomes ready, once, after kill -9 of ${victim}`, async function () {
      this.timeout(300_000);
      await becomesReady(target, partner, apps, ids.get(victim) ?? '', 'striker');
    });

  it('videos become ready, once, after a wipe of the whole JetStream store', async function () {
    this.timeout(300_000);
    const wiped = [await submit(), await submit(), await submit()];
    await isAtWork(wiped[0] ?? '', 'fetch');
    const begun = Date.now();
    const { dir } = target.stack.servers.nats;
    await wipeNats(dir, await openSettings(dir, false));
    for (const id of wiped) await becomesReady(target, partner, apps, id, 'striker');
    console.log(`      all three ready ${Math.round((Date.now() - begun) / 1_000)} s after the wipe`);
  });
});
