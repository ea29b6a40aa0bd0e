/** A release in which everything has happened once: a video was watched and found, one failed, one was deleted. */
import { smallSample } from '@vds/testkit/media/make-samples';
import { until } from '@vds/testkit/until';
import { appsOf, bare } from '../apps-client.ts';
import type { Target } from '../host/host.ts';
import type { Partner } from '../partner-client.ts';
import { isReady, kubectl, podsOf, release, type Pod } from '../cluster/release.ts';

export type ReleaseFixture = {
  readonly partner: Partner;
  /** The address of a small existing source. */
  readonly sourceUrl: string;
  readonly publisherId: string;
  /** Of a video that is live. */
  readonly id: string;
  /** Of one whose source did not exist. */
  readonly failedId: string;
};

/** @param name of the publisher */
export async function openReleaseFixture(target: Target, name: string): Promise<ReleaseFixture> {
  const partner = await target.newPartner(name);
  const sourceUrl = await target.serve(await smallSample());
  const sources = [sourceUrl, sourceUrl, target.origin.url('/missing.mp4')];
  const ids = await Promise.all(sources.map((source) => partner.submit(source, { title: `Runbook of ${name}` })));
  const records = await Promise.all(ids.map((id) => partner.settled(id)));
  const [live, toDelete, failed] = records;
  if (live?.status !== 'ready' || failed?.status !== 'failed')
    throw new Error(`the videos became ${records.map(({ status }) => status).join(', ')}`);
  await partner.remove(toDelete?.id ?? '');
  await watch(target, live.playback?.playback_id ?? '');
  const apps = appsOf(target.site);
  const found = () => apps.finds('Runbook', live.id);
  await until(found, { capMs: 60_000, everyMs: 500, what: 'the video in search' }).finally(() => void apps.close());
  const { rows } = await target.site
    .adminPool('catalog')
    .query<{ publisher_id: string }>('SELECT publisher_id FROM videos WHERE id = $1', [bare(live.id)]);
  return { partner, sourceUrl, publisherId: rows[0]?.publisher_id ?? '', id: live.id, failedId: failed.id };
}

/** Reads like a player: the master playlist, one rendition, its first segment. */
async function watch(target: Target, playbackId: string): Promise<void> {
  const token = await target.mint(playbackId, 600_000);
  const master = `${release.playbackUrl}/p/${token}/${playbackId}/master.m3u8`;
  const rendition = new URL(firstIn(await text(master)), master).href;
  await text(new URL(firstIn(await text(rendition)), rendition).href);
}

function firstIn(playlist: string): string {
  return playlist.split('\n').find((line) => line !== '' && line[0] !== '#') ?? '';
}

async function text(url: string): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.timeout(30_000) });
  if (!response.ok) throw new Error(`${new URL(url).pathname.split('/').at(-1)} answered ${response.status}`);
  return response.text();
}

/** Stops the process of one pod of a component gracefully, and waits until the same pod is ready again. */
export async function restartProcess(component: string): Promise<Pod> {
  const [before] = await podsOf(component);
  const name = before?.metadata.name ?? '';
  const restarts = (pod: Pod | undefined): number => pod?.status.containerStatuses?.[0]?.restartCount ?? 0;
  await kubectl(['exec', name, '--', 'node', '--eval', `process.kill(1, 'SIGTERM')`]);
  const back = async (): Promise<Pod | undefined> => {
    const pod = (await podsOf(component)).find(({ metadata }) => metadata.name === name);
    return pod && isReady(pod) && restarts(pod) > restarts(before) ? pod : undefined;
  };
  return until(back, { capMs: 120_000, everyMs: 500, what: `a new process in ${name}` });
}
