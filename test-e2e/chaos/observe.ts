/** What is there at the end of a run, read from the partner's interface, the player's, and from every store directly. */
import { readFileSync } from 'node:fs';
import { messageOf } from '@vds/chassis/errors';
import { openObjectClient } from '@vds/chassis/objects/objects';
import { rowOf, serviceNames } from '@vds/deploy-tools/services';
import { until } from '@vds/testkit/until';
import { bare } from '../harness/apps-client.ts';
import type { HostTarget } from '../harness/host/host.ts';
import type { Partner, VideoRecord } from '../harness/partner-client.ts';
import { walkHls } from '../hls/walk.ts';
import { documentsOf, leftoversOf, rowsOf } from '../probes/leftovers.ts';
import type { Final, FinalVideo } from './checker.ts';
import type { Entry, Memory } from './history.ts';

/** After the last fault everything has this long to end. */
const QUIET_CAP_MS = 300_000;
/** Viewers may use what they know of a gate for this long. */
const GATE_CAP_MS = 60_000;

/** The record of an accepted video, by the client that submitted it. */
export type Submitted = ReadonlyMap<string, Partner>;

/** The accepted videos of a history. @param partners by the number of the client */
export function submittedIn(history: readonly Entry[], partners: readonly Partner[]): Submitted {
  return new Map(
    history.flatMap((entry): [string, Partner][] => {
      if (entry.kind !== 'call' || entry.operation !== 'submit' || entry.video === undefined) return [];
      const partner = partners[entry.client];
      return partner ? [[entry.video, partner]] : [];
    }),
  );
}

/** Waits until nothing happens any more, or no longer; then looks at everything. */
export async function observe(target: HostTarget, submitted: Submitted): Promise<Final> {
  // What never ends is reported below, with its name.
  await until(async () => (await unfinishedWork(target)).length === 0, {
    what: 'the end of all work',
    capMs: QUIET_CAP_MS,
    everyMs: 500,
  }).catch(() => undefined); // reported by `unfinished`
  const videos: FinalVideo[] = [];
  for (const [id, partner] of submitted) videos.push(await observeVideo(target, id, partner));
  const catalog = target.stack.adminPool('catalog');
  const { rows } = await catalog.query<{ charged: number; accepted: number }>(
    `SELECT (SELECT coalesce(sum(used), 0)::int FROM daily_counts) AS charged,
       (SELECT count(*)::int FROM videos) AS accepted`,
  );
  const { charged, accepted } = rows[0] ?? { charged: 0, accepted: 0 };
  return { videos, charged, accepted, strays: await straysIn(target), unfinished: await unfinishedWork(target) };
}

async function observeVideo(target: HostTarget, id: string, partner: Partner): Promise<FinalVideo> {
  const record = await partner.get(id).catch((): Partial<VideoRecord> => ({}));
  const { status, failure, playback } = record;
  const isDeleted = status === 'deleted';
  const [documents, left, rows] = await Promise.all([
    documentsOf(target.site, id),
    isDeleted ? leftoversOf(target.site, id) : [],
    isDeleted ? rowsOf(target.site, id) : [],
  ]);
  return {
    id,
    status,
    ...(failure && { failure: failure.code }),
    playback: await playbackOf(target, id, status, playback ?? undefined),
    documents: documents.length,
    remains: [...left, ...rows],
  };
}

/** Walks the stream of a ready video; of every other one, whose gate must be closed, it asks for the master playlist. */
async function playbackOf(
  { mint, scratch, stack }: HostTarget,
  id: string,
  status: string | undefined,
  playback: VideoRecord['playback'] | undefined,
): Promise<string> {
  const { rows } = await stack
    .adminPool('catalog')
    .query<{ playback_id: string | null }>('SELECT playback_id FROM videos WHERE id = $1', [bare(id)]);
  const playbackId = playback?.playback_id ?? rows[0]?.playback_id;
  if (!playbackId) return 'closed';
  const url = `${stack.url('playback')}/${playbackId}.m3u8?token=${await mint(playbackId)}`;
  try {
    if (status === 'ready') {
      const { breaches, rungs } = await walkHls(url, scratch(bare(id)));
      return breaches.length === 0 && rungs.length > 0 ? 'plays' : `breaches: ${breaches.join('; ')}`;
    }
    const closed = async (): Promise<boolean> => (await fetch(url)).status === 404;
    await until(closed, { what: `the closed gate of ${id}`, capMs: GATE_CAP_MS, everyMs: 500 });
    return 'closed';
  } catch (error) {
    return messageOf(error);
  }
}

/** Work that is neither done nor waiting for its time: messages, requests, jobs, purges. */
async function unfinishedWork({ stack }: HostTarget): Promise<string[]> {
  const stores = serviceNames.filter((name) => rowOf(name).database && name !== 'auth');
  const found = await Promise.all(
    stores.map(async (service) => {
      const { rows } = await stack.adminPool(service).query<{ what: string; n: number }>(
        `SELECT 'unpublished messages' AS what, count(*)::int AS n FROM chassis.outbox
         UNION ALL SELECT 'unfinished jobs', count(*)::int FROM chassis.jobs WHERE state IN ('ready', 'running')
         UNION ALL SELECT 'open stages', count(*)::int FROM chassis.stages WHERE state = 'open'`,
      );
      return rows.filter(({ n }) => n > 0).map(({ what, n }) => `${service}: ${n} ${what}`);
    }),
  );
  const { rows } = await stack.adminPool('catalog').query<{ what: string; n: number }>(
    `SELECT 'videos in processing' AS what, count(*)::int AS n FROM videos WHERE state = 'processing'
     UNION ALL SELECT 'unconfirmed purges', count(*)::int FROM purges WHERE confirmed_at IS NULL AND due_at <= now()`,
  );
  return [...found.flat(), ...rows.filter(({ n }) => n > 0).map(({ what, n }) => `catalog: ${n} ${what}`)];
}

/** Keys of objects and unfinished uploads of videos that do not exist, or that are deleted. */
async function straysIn({ stack, site }: HostTarget): Promise<string[]> {
  const { rows } = await stack
    .adminPool('catalog')
    .query<{ id: string }>(`SELECT id FROM videos WHERE state <> 'deleted'`);
  const known = new Set(rows.map(({ id }) => id));
  const { endpoint, region, rootAccessKey, rootSecretKey } = site.servers.s3;
  const config = { s3Endpoint: endpoint, s3Region: region, s3AccessKey: rootAccessKey, s3SecretKey: rootSecretKey };
  const client = openObjectClient(config);
  const keys = await Promise.all(
    Object.values(site.buckets).map(async (bucket) => [
      ...(await Array.fromAsync(client.listObjectsV2(bucket, '', true), (item: { name: string }) => item.name)),
      ...(await Array.fromAsync(client.listIncompleteUploads(bucket, '', true), (item: { key: string }) => item.key)),
    ]),
  );
  return keys.flat().filter((key) => !known.has(key.split('/')[1] ?? ''));
}

/** Resident memory of every running process of the stack. */
export function memoryOf({ stack }: HostTarget, atMs: number): Memory[] {
  return stack.processes.flatMap(({ name, pid }): Memory[] => {
    const running = pid();
    if (running === undefined) return [];
    try {
      const [, kb = '0'] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${running}/status`, 'utf8')) ?? [];
      return [{ kind: 'memory', atMs, process: name, mb: Math.round(Number(kb) / 1_024) }];
    } catch {
      return []; // it has just ended, or this is no Linux
    }
  });
}
