/** Collects what every service reports of videos, and has catalog compare it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { CatalogVideoInUseOut } from '@vds/proto/generated/vds/catalog/v1/CatalogVideoInUse.ts';
import type { FindingOut } from '@vds/proto/generated/vds/catalog/v1/Finding.ts';
import { stageOwners } from '@vds/proto/stages';
import type { AdminClients } from './admin-clients.ts';

export type CompareOptions = {
  /** Also every object that the documents in use name must exist. */
  readonly objects: boolean;
  /** What cannot be read is repaired, too. */
  readonly repairUnreadable?: boolean;
};
type By = { readonly actor: string; readonly reason: string };
export type Compared = {
  readonly findings: readonly FindingOut[];
  /** Videos that a service keeps data of. */
  readonly stored: number;
  /** Videos that changed whenever they were compared; nothing is known of them. */
  readonly changed: readonly string[];
};
/** `videos`: how many any service knows. */
export type Comparison = Compared & { readonly videos: number };
type InUse = Omit<CatalogVideoInUseOut, 'versionSeq' | 'videoId'>;
type Batch = ReadonlyMap<string, InUse>;

const BATCH_SIZE = 100;
const IDS_AT_A_TIME = 1_000;
const TIMEOUT_MS = 120_000;
/** So often is a video compared that changes meanwhile. */
const ROUNDS = 3;
const ROUND_GAP_MS = 500;
const notKnown: InUse = { version: 0, sourceKey: '', ladderKey: '', captionKeys: [] };

/** Goes through catalog's list, and then through what only the other services know. Nothing is changed. */
export async function compareVideos(
  clients: AdminClients,
  options: CompareOptions,
  onProgress: (videos: number) => void,
): Promise<Comparison> {
  const seen = new Set<string>();
  const parts: Compared[] = [];
  for await (const batch of batches(clients, seen)) {
    parts.push(await compare(clients, batch, options));
    onProgress(seen.size);
  }
  const changed = parts.flatMap((part) => part.changed);
  const again = await compareAgain(clients, changed, options);
  return { ...merge([...parts, again]), changed: again.changed, videos: seen.size };
}

/** Compares these videos as they are now; with `by`, repairs them. */
export async function compareAgain(
  clients: AdminClients,
  videoIds: readonly string[],
  options: CompareOptions,
  by?: By,
): Promise<Compared> {
  const parts: Compared[] = [];
  let left = videoIds;
  for (let round = 1; round <= ROUNDS && left.length > 0; round++) {
    if (round > 1) await sleep(ROUND_GAP_MS);
    const compared: Compared[] = [];
    for (const ids of chunks(left)) compared.push(await compare(clients, await loadInUse(clients, ids), options, by));
    left = compared.flatMap(({ changed }) => changed);
    parts.push(...compared);
  }
  return { ...merge(parts), changed: left };
}

function merge(parts: readonly Compared[]): Omit<Compared, 'changed'> {
  return {
    findings: parts.flatMap(({ findings }) => findings),
    stored: parts.reduce((sum, { stored }) => sum + stored, 0),
  };
}

/**
 * Every video once. Catalog's list ends where it ended at the beginning, as it never ends while videos change: those
 * that were changed before their turn are in the lists of the others.
 */
async function* batches(clients: AdminClients, seen: Set<string>): AsyncGenerator<Batch> {
  let last = Infinity;
  for (let after = 0; ;) {
    const reply = await clients.inUse().ListVideosInUse({ afterVersionSeq: after, limit: BATCH_SIZE });
    last = Math.min(last, reply.settledVersionSeq);
    const videos = reply.videos.filter(({ versionSeq }) => versionSeq <= last);
    for (const { videoId } of videos) seen.add(videoId);
    if (videos.length > 0) yield batchOf(videos);
    if (videos.length < BATCH_SIZE) break;
    after = videos.at(-1)?.versionSeq ?? after;
  }
  for (const list of lists(clients))
    for (let after = ''; ;) {
      const ids = await list(after);
      const unseen = ids.filter((id) => !seen.has(id));
      for (const id of unseen) seen.add(id);
      for (const part of chunks(unseen)) yield await loadInUse(clients, part);
      if (ids.length < IDS_AT_A_TIME) break;
      after = ids.at(-1) ?? after;
    }
}

function chunks(ids: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(ids.length / BATCH_SIZE);
  return Array.from({ length: count }, (_, index) => ids.slice(index * BATCH_SIZE, (index + 1) * BATCH_SIZE));
}

/** What is in use of these videos now. */
async function loadInUse(clients: AdminClients, ids: readonly string[]): Promise<Batch> {
  const { videos } = await clients.inUse().ListVideosInUse({ videoIds: [...ids] });
  const known = batchOf(videos);
  return new Map(ids.map((id) => [id, known.get(id) ?? notKnown]));
}

function batchOf(videos: readonly CatalogVideoInUseOut[]): Batch {
  return new Map(videos.map(({ videoId, versionSeq: _seq, ...inUse }) => [videoId, inUse]));
}

/** The list of each service: ids after a given one, ascending. */
function lists(clients: AdminClients): readonly ((after: string) => Promise<readonly string[]>)[] {
  const limit = IDS_AT_A_TIME;
  return [
    ...stageOwners.map((name) => async (after: string) => {
      const reply = await clients.worker(name).ListKnownVideos({ after, limit }, { timeoutMs: TIMEOUT_MS });
      return reply.videoIds;
    }),
    async (after: string) =>
      (await clients.index().ListIndexedVideos({ after, limit }, { timeoutMs: TIMEOUT_MS })).videos.map(
        ({ videoId }) => videoId,
      ),
  ];
}

/** @param by undefined: nothing is repaired */
async function compare(clients: AdminClients, batch: Batch, options: CompareOptions, by?: By): Promise<Compared> {
  const { objects, repairUnreadable = false } = options;
  const ids = [...batch.keys()];
  const [indexed, ...described] = await Promise.all([
    clients.index().ListIndexedVideos({ videoIds: ids }, { timeoutMs: TIMEOUT_MS }),
    ...stageOwners.map((name) => describe(clients, name, batch, objects)),
  ]);
  const documents = new Map(indexed.videos.map((video) => [video.videoId, video]));
  const videos = [...batch].map(([videoId, { version: known }], at) => {
    const { live = false, version = 0 } = documents.get(videoId) ?? {};
    const owners = stageOwners.map((owner, place) => ({ owner, report: described[place]?.videos[at] ?? null }));
    return { videoId, owners, index: { found: documents.has(videoId), live, version }, version: known };
  });
  const request = { videos, repair: by !== undefined, repairUnreadable, ...by };
  const reply = await clients.videos().Reconcile(request, { timeoutMs: TIMEOUT_MS });
  const { findings, changedVideoIds: changed } = reply;
  const isStored = ({ videoId, owners }: (typeof videos)[number]): boolean =>
    owners.some(({ report }) => report?.hasData === true) && !changed.includes(videoId);
  return { findings, changed, stored: videos.filter(isStored).length };
}

function describe(clients: AdminClients, name: string, batch: Batch, objects: boolean) {
  const videos = [...batch].map(([videoId, inUse]) => ({ videoId, keys: keysOf(name, inUse, objects) }));
  return clients.worker(name).DescribeVideos({ videos, objects }, { timeoutMs: TIMEOUT_MS });
}

/** Tracks are many documents each: they are looked at together with all objects. */
function keysOf(name: string, { sourceKey, ladderKey, captionKeys }: InUse, objects: boolean): string[] {
  const keys: Readonly<Record<string, readonly string[]>> = {
    ingest: [sourceKey],
    transcode: [ladderKey],
    captions: objects ? captionKeys : [],
  };
  return (keys[name] ?? []).filter((key) => key !== '');
}
