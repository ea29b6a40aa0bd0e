/** The state of videos and work, read from the partner's interface, the player's, and every store directly. */
import { messageOf } from '@vds/chassis/errors';
import { rowOf, serviceNames } from '@vds/deploy-tools/services';
import { until } from '@vds/testkit/until';
import { walkHls } from '../../hls/walk.ts';
import { documentsOf, keysOf, leftoversOf, repeatedTries, rowsOf } from '../../probes/leftovers.ts';
import type { HostTarget } from '../host/host.ts';
import type { Partner, VideoRecord } from '../partner-client.ts';
import type { FinalVideo } from './final-video.ts';

/** A video as catalog's database has it, or as a reply has named it. */
export type Known = {
  readonly id: string;
  readonly title: string;
  readonly attempt: number;
  readonly version: number;
  readonly playbackId: string | null;
};
export type Budget = { readonly charged: number; readonly videos: number };
export type NeedlessObjects = Readonly<Record<'orphans' | 'repeated', readonly string[]>>;
type Found = Partial<Omit<VideoRecord, 'status'>> & { readonly status?: string };
/** Waits for a check, at most for its time limit; returns whether it held. */
export type Settle = (check: () => Promise<boolean>) => Promise<boolean>;

/** The videos of catalog's database, the oldest first. */
export async function storedVideos({ stack }: HostTarget): Promise<Known[]> {
  const { rows } = await stack
    .adminPool('catalog')
    .query<Known>(
      `SELECT 'vid_' || id AS id, title, attempt, version, playback_id AS "playbackId" FROM videos ORDER BY created_at`,
    );
  return rows;
}

/** Waits for a check; after a timeout the state found then is reported. */
export async function holds(check: () => Promise<boolean>, capMs: number): Promise<boolean> {
  return until(check, { what: 'the end of all work', capMs, everyMs: 250 }).catch(() => false);
}

/** @param partner whose video it is, if anybody's */
export async function observeVideo(
  target: HostTarget,
  partner: Partner | undefined,
  video: Known,
  settle: Settle,
): Promise<FinalVideo> {
  const { id, title, version } = video;
  const record: Found = partner ? await recordOf(partner, id) : { status: 'nobody’s' };
  const { status, failure, captions = [] } = record;
  const isDeleted = status === 'deleted';
  const documents = async () => (await documentsOf(target.site, id)).map((document) => document.version);
  const remains = async () =>
    isDeleted ? [...(await leftoversOf(target.site, id)), ...(await rowsOf(target.site, id))] : [];
  await settle(async () => (await documents()).join(' ') === (status === 'ready' ? String(version) : ''));
  await settle(async () => (await remains()).length === 0);
  return {
    ...{ id, title, status, version },
    ...(failure && { failure: failure.code }),
    tracks: captions.map((track) => track.status),
    playback: await playbackOf(target, video, record, settle),
    documents: await documents(),
    remains: await remains(),
  };
}

/** The record; without a status if the partner's interface does not know the video. */
async function recordOf(partner: Partner, id: string): Promise<Found> {
  const read = async (): Promise<Found | false> => {
    const { status, body } = await partner.call<VideoRecord>('GET', `/v1/videos/${id}`);
    return status === 200 ? body : status === 404 && {};
  };
  const what = `the record of ${id}`;
  return until(read, { what, everyMs: 500 }).catch((error: unknown) => ({ status: messageOf(error) }));
}

/** Walks the stream of a ready video; of every other one, whose gate must be closed, it asks for the master playlist. */
async function playbackOf(
  { mint, scratch, stack }: HostTarget,
  { id, playbackId }: Known,
  { status }: Found,
  settle: Settle,
): Promise<string> {
  if (!playbackId) return 'closed';
  try {
    const url = `${stack.url('playback')}/${playbackId}.m3u8?token=${await mint(playbackId)}`;
    const isClosed = async () => (await fetch(url, { signal: AbortSignal.timeout(10_000) })).status === 404;
    if (status !== 'ready') return (await settle(isClosed)) ? 'closed' : 'open';
    const { breaches, rungs } = await walkHls(url, scratch(id));
    return breaches.length === 0 && rungs.length > 0 ? 'plays' : `breaches: ${breaches.join('; ')}`;
  } catch (error) {
    return messageOf(error);
  }
}

/** What each budget was charged, and how many videos were made with it. */
export async function budgetsOf({ stack }: HostTarget): Promise<readonly Budget[]> {
  const { rows } = await stack.adminPool('catalog').query<Budget>(
    `SELECT coalesce(sum(used), 0)::int AS charged, coalesce(max(videos), 0)::int AS videos
     FROM (SELECT budget_id, count(*) AS videos FROM videos GROUP BY 1) AS counted
     FULL JOIN daily_counts USING (budget_id) GROUP BY budget_id`,
  );
  return rows;
}

/** Videos in service whose tracks captions has in another revision than catalog. */
export async function outdatedCaptions({ stack }: HostTarget): Promise<string[]> {
  type Revision = { readonly id: string; readonly revision: number };
  const { rows: served } = await stack
    .adminPool('catalog')
    .query<Revision>(`SELECT id, captions_revision AS revision FROM videos WHERE state IN ('ready', 'archived')`);
  const { rows: made } = await stack.adminPool('captions').query<Revision>(
    `SELECT DISTINCT ON (video_id) video_id AS id, (state ->> 'revision')::int AS revision FROM caption_jobs
     ORDER BY video_id, attempt DESC`,
  );
  const revisions = new Map(made.map(({ id, revision }) => [id, revision]));
  return served
    .filter(({ id, revision }) => revisions.has(id) && revisions.get(id) !== revision)
    .map(({ id, revision }) => `${id}: catalog has ${revision}, captions ${revisions.get(id)}`);
}

/** Work that is neither done nor waiting for its time: messages, requests, jobs, purges. */
export async function unfinishedWork({ stack }: HostTarget): Promise<string[]> {
  const stores = serviceNames.filter((name) => rowOf(name).database && name !== 'auth');
  const found = await Promise.all(
    stores.map(async (service) => {
      const { rows } = await stack.adminPool(service).query<{ what: string; n: number }>(
        `SELECT 'unpublished messages' AS what, count(*)::int AS n FROM chassis.outbox WHERE published_at IS NULL
         UNION ALL SELECT 'unfinished jobs', count(*)::int FROM chassis.jobs WHERE state IN ('ready', 'running')
         UNION ALL SELECT 'open stages', count(*)::int FROM chassis.stages WHERE state = 'open'`,
      );
      return rows.filter(({ n }) => n > 0).map(({ what, n }) => `${service}: ${n} ${what}`);
    }),
  );
  const { rows } = await stack.adminPool('catalog').query<{ what: string; n: number }>(
    `SELECT 'videos in processing' AS what, count(*)::int AS n FROM videos WHERE state = 'processing'
     UNION ALL SELECT 'unanswered requests', count(*)::int FROM stages JOIN videos ON videos.id = video_id
       WHERE stages.state IN ('requested', 'started') AND videos.state IN ('ready', 'archived')
     UNION ALL SELECT 'unconfirmed purges', count(*)::int FROM purges WHERE confirmed_at IS NULL AND due_at <= now()`,
  );
  return [...found.flat(), ...rows.filter(({ n }) => n > 0).map(({ what, n }) => `catalog: ${n} ${what}`)];
}

/** Objects and unfinished uploads that no video needs. */
export async function needlessObjects({ stack, site }: HostTarget): Promise<NeedlessObjects> {
  const { rows } = await stack
    .adminPool('catalog')
    .query<{ id: string; attempt: number }>(`SELECT id, attempt FROM videos WHERE state <> 'deleted'`);
  const attempts = new Map(rows.map(({ id, attempt }) => [id, attempt]));
  const keys = new Map(await keysOf(site));
  keys.delete(site.buckets.analytics); // of organizations, for ever
  const isNeedless = (key: string): boolean => {
    const [, id = '', attempt = ''] = key.split('/');
    return attempts.get(id) !== Number(attempt);
  };
  return { orphans: [...keys.values()].flat().filter(isNeedless), repeated: repeatedTries(keys) };
}
