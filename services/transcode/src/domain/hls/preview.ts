/**
 * What can be played of a video that is still being encoded: the pieces that follow each other from its beginning, as
 * playlists that grow.
 */
import type { Preview } from '@vds/proto/generated/vds/transcode/v1/Preview.ts';
import type { EncodedPiece, EncodedSound, JobResults } from '../plan/job-results.ts';
import type { EncodePlan } from '../plan/encode-plan.ts';
import { languageTagOf } from '../source/probe-json.ts';
import { partsOf, segmentsOf, soundParts, writtenRate, type RenditionPart } from './ladder-document.ts';
import { AUDIO_SAMPLE_RATE } from '../plan/sound-rate.ts';
import { bandwidthOf, growingPlaylist } from './media-playlist.ts';
import { initName, playlistName, relativeUri } from '../object-keys.ts';

type PreviewParts = Required<Pick<Preview, 'rungs' | 'playlists'>> & Pick<Preview, 'audio'>;

/** Of these playlists, which are not stored. */
const FOLDER = 'preview';

/** Undefined before the first piece, and before the sound of its beginning, is there. */
export function previewOf(plan: EncodePlan, { pieces, sound: chunks }: JobResults): PreviewParts | undefined {
  const known = new Map(pieces.map((piece) => [piece.index, piece]));
  const missing = plan.pieces.findIndex(({ index }) => !known.has(index));
  const isWhole = missing < 0;
  const begun = plan.pieces.slice(0, isWhole ? undefined : missing).flatMap(({ index }) => known.get(index) ?? []);
  if (begun.length === 0 || (plan.probe.audio && chunks[0]?.index !== 0)) return undefined;
  const rungs = plan.rungs.map(({ name, width, height }, place) => {
    const written = write(`${FOLDER}/v/${name}/${playlistName}`, partsOf(begun, name, place), isWhole);
    const facts = { name, width, height, frameRate: writtenRate(plan.peakRate) };
    return { ...facts, ...written };
  });
  const sound = plan.probe.audio ? writeSound(plan, chunks, endOf(begun), isWhole) : undefined;
  const entries = [...rungs, ...(sound ? [sound] : [])];
  return {
    rungs: rungs.map(({ text: _text, ...rung }) => rung),
    ...(sound && { audio: soundOf(sound) }),
    playlists: entries.map(({ playlistKey: path, text }) => ({ path, text })),
  };
}

function soundOf({ text: _text, ...sound }: ReturnType<typeof writeSound>) {
  return sound;
}

/** Seconds from the video's beginning to the end of the last piece that is there. */
function endOf(pieces: readonly EncodedPiece[]): number {
  const [rung] = pieces.at(-1)?.rungs ?? [];
  return rung ? rung.end / rung.timescale : 0;
}

/** As much sound as there are pictures: players take the end of the shorter one for the present. */
function writeSound(plan: EncodePlan, chunks: readonly EncodedSound[], until: number, picturesEnd: boolean) {
  const begun = chunks.filter(({ index }, place) => index === place);
  const isWhole = picturesEnd && begun.length === plan.sound.length;
  const parts = begun.map((chunk) => {
    let at = chunk.start;
    const segments = chunk.segments.filter(({ duration }) => {
      const begins = at / chunk.timescale;
      at += duration;
      return picturesEnd || begins < until;
    });
    return { ...chunk, segments };
  });
  const written = write(`${FOLDER}/a/${playlistName}`, soundParts(parts), isWhole);
  return {
    ...written,
    channels: 2,
    sampleRate: AUDIO_SAMPLE_RATE,
    language: languageTagOf(plan.probe.audio?.language) ?? '',
  };
}

function write(playlist: string, parts: readonly RenditionPart[], isWhole: boolean) {
  const segments = segmentsOf(playlist, parts);
  const { peak: bandwidth, average: averageBandwidth } = bandwidthOf(segments);
  const map = relativeUri(playlist, `${parts[0]?.folder}/${initName}`);
  const codecs = parts[0]?.encoded.codecs ?? '';
  return { bandwidth, averageBandwidth, codecs, playlistKey: playlist, text: growingPlaylist(map, segments, isWhole) };
}
