/**
 * A slow pass, over and over, through the objects of videos that can be played: one that is missing would otherwise be
 * noticed by viewers first. Each replica begins at a random video, so that a pass that is cut short by a restart leaves
 * out no part of them. Nothing is repaired: `vdsctl reconcile --objects --repair` does that.
 */
import { integer, withDefault, type ConfigOf, type ConfigSpec } from '../config/config.ts';
import { startPeriodic } from '../process/periodic.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { checkDocument, type KeptVideos } from './known-videos.ts';

export const scrubConfig = {
  /** Objects a second that each replica looks at, most of them a thousand per request; 0 turns it off. */
  scrubObjectsPerSecond: ['SCRUB_OBJECTS', withDefault(integer(0, 1_000_000), 200)],
} as const satisfies ConfigSpec;

/** A document that is in use, such as a ladder. */
export type DocumentInUse = { readonly videoId: string; readonly key: string };
export type ScrubOptions = ConfigOf<typeof scrubConfig> &
  Pick<KeptVideos, 'objects' | 'namedBy'> & {
    /** Documents in use by ascending video, after `after`; at most `limit`. */
    readonly documentsAfter: (after: string, limit: number) => Promise<readonly DocumentInUse[]>;
    /** Any video to begin at. */
    readonly anyVideo: () => Promise<string>;
    readonly log: Logger;
    readonly metrics: Metrics;
    readonly everyMs?: number;
  };

const atATime = 20;

export function startScrub(options: ScrubOptions) {
  const { scrubObjectsPerSecond: rate, log, metrics, everyMs = 10_000 } = options;
  const checked = metrics.counter('vds_scrub_objects_total', 'Objects of playable videos that were looked for');
  const broken = new Set<string>();
  metrics.gauge('vds_scrub_broken_videos', 'Playable videos with missing objects', [], (gauge) =>
    gauge.set(broken.size),
  );
  let position: string | undefined;
  const look = async ({ videoId, key }: DocumentInUse): Promise<number> => {
    const { objects, missing } = await checkDocument(options, key);
    const [first] = missing;
    if (first === undefined) broken.delete(videoId);
    else if (!broken.has(videoId)) {
      broken.add(videoId);
      log.error({ video_id: videoId, key: first, missing: missing.length }, 'objects of a playable video are missing');
    }
    checked.inc(objects);
    return objects;
  };
  /** Spends the objects of one interval. */
  const scrub = async (signal: AbortSignal): Promise<void> => {
    position ??= await options.anyVideo();
    for (let left = (rate * everyMs) / 1_000; left > 0 && !signal.aborted;) {
      const documents = await options.documentsAfter(position, atATime);
      for (const document of documents) {
        if (left <= 0 || signal.aborted) return;
        left -= await look(document);
        position = document.videoId;
      }
      if (documents.length < atATime) {
        if (position === '') return;
        position = '';
      }
    }
  };
  /** Broken ones are looked at in turn, or one that was repaired would stay so until the next pass. */
  const recheck = async (): Promise<void> => {
    for (const videoId of [...broken].slice(0, atATime)) {
      const [document] = await options.documentsAfter(before(videoId), 1);
      if (document?.videoId === videoId) await look(document);
      else broken.delete(videoId);
      if (broken.delete(videoId)) broken.add(videoId); // last in the next turn
    }
  };
  const tasks = rate === 0 ? {} : { scrub, recheck };
  return startPeriodic({ log, metrics, everyMs, tasks });
}

/** The greatest text below an id that no id lies between. */
function before(videoId: string): string {
  const last = videoId.charCodeAt(videoId.length - 1);
  return `${videoId.slice(0, -1)}${String.fromCharCode(last - 1)}~`;
}
