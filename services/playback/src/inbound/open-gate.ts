/** The open gate of a video, with where its media are. */
import { AppError } from '@vds/chassis/errors';
import { attemptOf, attemptPrefix, videoOf } from '@vds/chassis/objects/keys';
import { showsThumbnail, type Gate } from '../domain/gate.ts';
import type { Gates } from '../outbound/gates.ts';
import { notFound } from './responses.ts';

/** The gate of a video and the prefix of its media. NOT_FOUND unless it is open. */
export async function openGate(
  { gates }: { readonly gates: Pick<Gates, 'find'> },
  playbackId: string,
  opens: (gate: Gate, ageMs: number) => boolean,
): Promise<Gate & { readonly prefix: string }> {
  const { value: gate, ageMs } = await gates.find(playbackId, opens !== showsThumbnail);
  if (!gate || !opens(gate, ageMs)) throw notFound();
  const prefix = prefixOf(gate);
  if (prefix === undefined) throw new AppError('INTERNAL', `video ${gate.videoId} has the ladder ${gate.ladderKey}`);
  return { ...gate, prefix };
}

/** Of the winning attempt's objects; undefined for a ladder of another video. */
export function prefixOf({ videoId, ladderKey }: Gate): string | undefined {
  const attempt = videoOf(ladderKey) === videoId ? attemptOf(ladderKey) : undefined;
  return attempt === undefined ? undefined : attemptPrefix(videoId, attempt);
}
