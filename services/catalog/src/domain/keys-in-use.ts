/** Which documents of a video are in use: what they name must neither be purged nor be missing. */
import { outputsOf, type StageStatus } from './stages.ts';
import type { Track, Video } from './video.ts';

/** Keys of documents, by the owner of their bucket; empty if there is none. */
export type KeysInUse = {
  readonly sourceKey: string;
  readonly ladderKey: string;
  readonly captionKeys: readonly string[];
};

/** Of a video of which nothing is in use any more. */
export const nothingInUse: KeysInUse = { sourceKey: '', ladderKey: '', captionKeys: [] };

/**
 * A source is in use until it is encoded; its outputs, as soon as catalog knows them, until the video fails or is
 * deleted.
 * @param statuses the stages of the current attempt
 */
export function keysInUse(
  { state, ladderKey, captions, transcriptKey }: Pick<Video, 'state' | 'ladderKey' | 'captions' | 'transcriptKey'>,
  statuses: readonly StageStatus[],
): KeysInUse {
  if (state === 'failed' || state === 'deleted') return nothingInUse;
  const captionKeys = [
    ...new Set([...captions.flatMap(keysOfTrack), ...(transcriptKey === null ? [] : [transcriptKey])]),
  ];
  if (state !== 'processing') return { sourceKey: '', ladderKey: ladderKey ?? '', captionKeys };
  const outputs = outputsOf(statuses);
  const isEncoded = statuses.some((status) => status.stage === 'encode' && status.state === 'completed');
  return { sourceKey: isEncoded ? '' : (outputs.sourceKey ?? ''), ladderKey: outputs.ladderKey ?? '', captionKeys };
}

function keysOfTrack({ status, playlistKey, textKey }: Track): string[] {
  return status === 'ready' ? [playlistKey, textKey].filter((key) => key !== null) : [];
}
