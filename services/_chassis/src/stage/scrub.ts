/**
 * A slow pass, over and over, through the objects that viewers get, which are those that catalog names: one that is
 * missing, or a document that cannot be read, would otherwise be noticed by viewers first. Each replica begins at a
 * random video, so that a pass that is cut short by a restart leaves out no part of them. Nothing is repaired: `vdsctl
 * reconcile --objects --repair` does that.
 */
import { integer, withDefault, type ConfigOf, type ConfigSpec } from '../config/config.ts';
import { withSignal } from '../process/current-signal.ts';
import { startPeriodic } from '../process/periodic.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { checkDocument, type KeptVideos } from './known-videos.ts';
import type { VideoInUse, VideosInUse } from './videos-in-use.ts';

export const scrubConfig = {
  /** Objects a second that each replica looks at, most of them a thousand per request; 0 turns it off. */
  scrubObjectsPerSecond: ['SCRUB_OBJECTS', withDefault(integer(0, 1_000_000), 200)],
} as const satisfies ConfigSpec;

export type ScrubOptions = ConfigOf<typeof scrubConfig> &
  Pick<KeptVideos, 'objects' | 'namedBy'> & {
    readonly inUse: Pick<VideosInUse, 'of' | 'list'>;
    /** The key of the document of a video, such as its ladder; '' while it has none. */
    readonly documentOf: (video: VideoInUse) => string;
    readonly log: Logger;
    readonly metrics: Metrics;
    readonly everyMs?: number;
  };

const pageSize = 100;
/** Broken videos that are looked at again at a time. */
const mostRechecked = 20;

export function startScrub(options: ScrubOptions) {
  const { scrubObjectsPerSecond: rate, inUse, log, metrics, everyMs = 10_000 } = options;
  const broken = new Set<string>();
  metrics.gauge('vds_scrub_broken_videos', 'Playable videos with missing objects', [], (gauge) =>
    gauge.set(broken.size),
  );
  const look = createLook(options, broken);
  let position: number | undefined;
  /** Spends the objects of one interval, or ends the pass. */
  const scrub = async (signal: AbortSignal): Promise<void> => {
    position ??= await anyPosition(inUse);
    for (let left = (rate * everyMs) / 1_000; left > 0 && !signal.aborted;) {
      const { videos } = await inUse.list(position, pageSize);
      for (const video of videos) {
        if (left <= 0 || signal.aborted) return;
        left -= await look(video);
        position = video.versionSeq;
      }
      if (videos.length < pageSize) {
        position = 0;
        return;
      }
    }
  };
  /** Broken ones are looked at in turn, or one that was repaired would stay so until the next pass. */
  const recheck = async (): Promise<void> => {
    const ids = [...broken].slice(0, mostRechecked);
    const videos = new Map((await inUse.of(ids)).map((video) => [video.videoId, video]));
    for (const id of ids) {
      const video = videos.get(id);
      if (video) await look(video);
      else broken.delete(id);
      if (broken.delete(id)) broken.add(id); // last in the next turn
    }
  };
  const tasks = {
    scrub: (signal: AbortSignal) => withSignal(signal, () => scrub(signal)),
    recheck: (signal: AbortSignal) => withSignal(signal, recheck),
  };
  return startPeriodic({ log, metrics, everyMs, tasks: rate === 0 ? {} : tasks });
}

/** @returns what looks at one video, keeps it among the broken ones or not, and tells how many objects that took */
function createLook(options: ScrubOptions, broken: Set<string>): (video: VideoInUse) => Promise<number> {
  const { inUse, documentOf, log, metrics } = options;
  const checked = metrics.counter('vds_scrub_objects_total', 'Objects of playable videos that were looked for');
  /** It may have been deleted or processed again since it was listed. */
  const isStillUsed = async (videoId: string, key: string): Promise<boolean> =>
    (await inUse.of([videoId])).some((video) => documentOf(video) === key);
  return async (video) => {
    const { videoId } = video;
    const key = documentOf(video);
    // Passing over it costs a little, too.
    const faults = key === '' ? { objects: 1, missing: [], unreadable: [] } : await checkDocument(options, key);
    const { objects, missing, unreadable } = faults;
    const isBroken = missing.length + unreadable.length > 0 && (await isStillUsed(videoId, key));
    if (!isBroken) broken.delete(videoId);
    else if (!broken.has(videoId)) {
      broken.add(videoId);
      const [lost] = missing;
      const of = { video_id: videoId };
      if (lost === undefined) log.error({ ...of, ...unreadable[0] }, 'a document of a playable video cannot be read');
      else log.error({ ...of, key: lost, missing: missing.length }, 'objects of a playable video are missing');
    }
    if (key !== '') checked.inc(objects);
    return objects;
  };
}

async function anyPosition(inUse: Pick<VideosInUse, 'list'>): Promise<number> {
  const { settledVersionSeq } = await inUse.list(0, 1);
  return Math.floor(Math.random() * settledVersionSeq);
}
