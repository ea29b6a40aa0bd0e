/** Collects what every service reports of videos, and has catalog compare it. */
import type { CatalogVideoInUseOut } from '@vds/proto/generated/vds/catalog/v1/CatalogVideoInUse.ts';
import type { FindingOut } from '@vds/proto/generated/vds/catalog/v1/Finding.ts';
import type { ReportedVideo } from '@vds/proto/generated/vds/catalog/v1/ReportedVideo.ts';
import { stageOwners } from '@vds/proto/events';
import type { AdminClients } from './admin-clients.ts';

/** `objects`: also every object that the documents in use name must exist. */
export type CompareOptions = { readonly objects: boolean };
export type Comparison = {
  readonly findings: readonly FindingOut[];
  /** Videos that any service knows. */
  readonly videos: number;
  /** What is in use of the videos with findings. */
  readonly affected: ReadonlyMap<string, InUse>;
};
type InUse = Omit<CatalogVideoInUseOut, 'versionSeq' | 'videoId'>;
type Batch = ReadonlyMap<string, InUse>;

const batchSize = 100;
const idsAtATime = 1_000;
const timeoutMs = 120_000;
const nothing: InUse = { sourceKey: '', ladderKey: '', captionKeys: [] };

/** Goes through catalog's list, and then through what only the other services know. Nothing is changed. */
export async function compareVideos(
  clients: AdminClients,
  options: CompareOptions,
  onProgress: (videos: number) => void,
): Promise<Comparison> {
  const seen = new Set<string>();
  const findings: FindingOut[] = [];
  const affected = new Map<string, InUse>();
  for await (const batch of batches(clients, seen)) {
    const { findings: found } = await compare(clients, batch, options);
    findings.push(...found);
    for (const { videoId } of found) affected.set(videoId, batch.get(videoId) ?? nothing);
    onProgress(seen.size);
  }
  return { findings, videos: seen.size, affected };
}

/** Compares the affected videos again, and repairs them. */
export async function repairVideos(
  clients: AdminClients,
  { affected }: Pick<Comparison, 'affected'>,
  options: CompareOptions,
  by: { readonly actor: string; readonly reason: string },
): Promise<readonly FindingOut[]> {
  const findings: FindingOut[] = [];
  const entries = [...affected];
  for (let at = 0; at < entries.length; at += batchSize) {
    const batch = new Map(entries.slice(at, at + batchSize));
    findings.push(...(await compare(clients, batch, options, by)).findings);
  }
  return findings;
}

async function* batches(clients: AdminClients, seen: Set<string>): AsyncGenerator<Batch> {
  for (let after = 0; ;) {
    const { videos } = await clients.videos().ListVideosInUse({ afterVersionSeq: after, limit: batchSize });
    for (const { videoId } of videos) seen.add(videoId);
    if (videos.length > 0) yield new Map(videos.map(({ videoId, versionSeq: _seq, ...inUse }) => [videoId, inUse]));
    if (videos.length < batchSize) break;
    after = videos.at(-1)?.versionSeq ?? after;
  }
  for (const list of lists(clients))
    for (let after = ''; ;) {
      const ids = await list(after);
      const unseen = ids.filter((id) => !seen.has(id));
      for (const id of unseen) seen.add(id);
      for (let at = 0; at < unseen.length; at += batchSize)
        yield new Map(unseen.slice(at, at + batchSize).map((id) => [id, nothing]));
      if (ids.length === 0) break;
      after = ids.at(-1) ?? after;
    }
}

/** The list of each service: ids after a given one, ascending. */
function lists(clients: AdminClients): readonly ((after: string) => Promise<readonly string[]>)[] {
  const limit = idsAtATime;
  return [
    ...stageOwners.map((name) => async (after: string) => {
      const reply = await clients.worker(name).ListKnownVideos({ after, limit }, { timeoutMs });
      return reply.videoIds;
    }),
    async (after: string) =>
      (await clients.index().ListIndexedVideos({ after, limit }, { timeoutMs })).videos.map(({ videoId }) => videoId),
  ];
}

/** @param by undefined: nothing is repaired */
async function compare(
  clients: AdminClients,
  batch: Batch,
  { objects }: CompareOptions,
  by?: { readonly actor: string; readonly reason: string },
) {
  const ids = [...batch.keys()];
  const [indexed, ...described] = await Promise.all([
    clients.index().ListIndexedVideos({ videoIds: ids }, { timeoutMs }),
    ...stageOwners.map((name) => describe(clients, name, batch, objects)),
  ]);
  const documents = new Map(indexed.videos.map((video) => [video.videoId, video]));
  const videos = ids.map((videoId, at): ReportedVideo => {
    const { live = false, version = 0 } = documents.get(videoId) ?? {};
    const owners = stageOwners.map((owner, place) => ({ owner, report: described[place]?.videos[at] ?? null }));
    return { videoId, owners, index: { found: documents.has(videoId), live, version } };
  });
  return clients.videos().Reconcile({ videos, repair: by !== undefined, ...by }, { timeoutMs });
}

function describe(clients: AdminClients, name: string, batch: Batch, objects: boolean) {
  const videos = [...batch].map(([videoId, inUse]) => ({ videoId, keys: keysOf(name, inUse, objects) }));
  return clients.worker(name).DescribeVideos({ videos, objects }, { timeoutMs });
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
