/** The sound of a span, decoded once from the audio rendition and measured second by second. */
import type { MediaPlaylist } from '@vds/proto/documents/media-playlist';
import type { AnalyzedSecond } from '../domain/analysis.ts';
import { segmentsWithin } from '../domain/renditions.ts';
import { soundMeter, soundRate } from '../domain/sound/features.ts';
import type { Span } from '../domain/span.ts';
import type { Deps } from './analyze-frames.ts';
import { joinSegments } from './renditions.ts';
import { byBlock, runTool } from './tools.ts';

const fileName = 'sound.mp4';

const decodeArguments = [
  ...['-hide_banner', '-nostdin', '-v', 'error', '-protocol_whitelist', 'file', '-i', fileName, '-vn'],
  ...['-map', '0:a:0', '-ac', '1', '-ar', `${soundRate}`, '-f', 's16le', 'pipe:1'],
];

/** Bytes per sample. */
const wide = 2;
const blockSamples = 800;

/** @param playlist of the audio rendition; parts of the span that it lacks are left out */
export async function listen(desk: Deps, playlist: MediaPlaylist, span: Span): Promise<readonly AnalyzedSecond[]> {
  const { media, scratch, signal, timeoutMs, tools } = desk;
  const segments = segmentsWithin(playlist, span.startMs, span.endMs);
  const [first] = segments;
  if (!first) return [];
  await joinSegments(media, playlist, segments, { scratch, name: fileName }, signal);
  const meter = soundMeter();
  const from = Math.round((Math.max(0, span.startMs - first.startMs) * soundRate) / 1_000);
  const to = from + Math.round(((span.endMs - span.startMs) * soundRate) / 1_000);
  let at = 0;
  const hear = (bytes: Buffer): void => {
    for (let place = 0; place < bytes.length; place += wide, at++)
      if (at >= from && at < to) meter.add(bytes.readInt16LE(place));
  };
  await runTool(tools, 'ffmpeg', decodeArguments, {
    ...{ scratch, signal, timeoutMs },
    onOutput: byBlock(blockSamples * wide, hear),
  });
  return meter.end();
}
