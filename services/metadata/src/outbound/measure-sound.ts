/** The sound of a span, decoded once from the audio rendition and measured second by second. */
import type { MediaPlaylist } from '@vds/proto/documents/media-playlist';
import type { AnalyzedSecond } from '@vds/chassis/sound/features';
import { segmentsWithin } from '../domain/renditions.ts';
import { soundMeter, SOUND_RATE } from '@vds/chassis/sound/features';
import { lengthOf, type Span } from '../domain/span.ts';
import { decodeSegments, type AnalysisDeps } from './renditions.ts';
import { byBlock } from './tools.ts';

const BYTES_PER_SAMPLE = 2;
const BLOCK_SAMPLES = 800;

const outputArgs = ['-vn', '-map', '0:a:0', '-ac', '1', '-ar', `${SOUND_RATE}`, '-f', 's16le', 'pipe:1'];

/** @param playlist of the audio rendition; parts of the span that it lacks are left out */
export async function measureSound(
  deps: AnalysisDeps,
  playlist: MediaPlaylist,
  span: Span,
): Promise<readonly AnalyzedSecond[]> {
  const segments = segmentsWithin(playlist, span.startMs, span.endMs);
  const [first] = segments;
  if (!first) return [];
  const meter = soundMeter();
  const from = Math.round((Math.max(0, span.startMs - first.startMs) * SOUND_RATE) / 1_000);
  const to = from + Math.round((lengthOf(span) * SOUND_RATE) / 1_000);
  let at = 0;
  const onBlock = (bytes: Buffer): void => {
    for (let offset = 0; offset < bytes.length; offset += BYTES_PER_SAMPLE, at++)
      if (at >= from && at < to) meter.add(bytes.readInt16LE(offset));
  };
  await decodeSegments(deps, {
    ...{ playlist, segments, name: 'sound.mp4', outputArgs },
    onOutput: byBlock(BLOCK_SAMPLES * BYTES_PER_SAMPLE, onBlock),
  });
  return meter.end();
}
