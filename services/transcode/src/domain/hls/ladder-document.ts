/** The files of an encoded video: its ladder document, its playlists, and the paths of all others. */
import type { LadderDocument, LadderRung } from '@vds/proto/documents/ladder';
import type { TitlePlan } from '../plan/title-plan.ts';
import { durationMs } from '../plan/title-plan.ts';
import type { MadeRendition } from '../cmaf/rendition.ts';
import type { MadeAudio, MadePiece } from './finished-title.ts';
import { bandwidthOf, mediaPlaylist, type PlaylistSegment } from './media-playlist.ts';
import { initName, playlistName, relativeUri, segmentName, sheetObject, thumbnailName } from './object-keys.ts';
import { storyboardTrack } from './storyboard-track.ts';

export type TitleFile = { readonly path: string; readonly body: string; readonly contentType: string };
export type WrittenTitle = { readonly document: LadderDocument; readonly files: readonly TitleFile[] };

const hlsType = 'application/vnd.apple.mpegurl';

/** The audio rendition's playlist, written by its own job: captions reads it before the pictures are encoded. */
export function writeAudioPlaylist(plan: TitlePlan, audio: MadeAudio): TitleFile {
  return audioOf(plan, audio, `${audio.folder}/a/${playlistName}`).file;
}

function audioOf(plan: TitlePlan, audio: MadeAudio, playlist: string) {
  const { file, bandwidth } = writeRendition(playlist, [{ folder: `${audio.folder}/a`, made: audio }]);
  const entry: LadderDocument['audio'] = {
    channels: 2,
    sampleRate: audio.timescale,
    language: languageOf(plan),
    bandwidth: bandwidth.peak,
    averageBandwidth: bandwidth.average,
    codecs: audio.codecs,
    playlist: file.path,
  };
  return { entry, file };
}

/** Containers may hold any text; what is not a language tag is dropped. */
function languageOf({ facts }: TitlePlan): string | null {
  const language = facts.audio?.language ?? '';
  return /^[A-Za-z]{2,8}(?:-[0-9A-Za-z]{1,8}){0,8}$/.test(language) ? language : null;
}

/** @param playlist path of the playlist to write */
function writeRendition(playlist: string, parts: Parameters<typeof listSegments>[1]) {
  const segments = listSegments(playlist, parts);
  const map = relativeUri(playlist, `${parts[0]?.folder}/${initName}`);
  const file = { path: playlist, body: mediaPlaylist(map, segments), contentType: hlsType };
  return { file, bandwidth: bandwidthOf(segments) };
}

/** The segments of one rendition over all folders that hold some of it, with addresses relative to `playlist`. */
function listSegments(
  playlist: string,
  parts: readonly { readonly folder: string; readonly made: MadeRendition }[],
): PlaylistSegment[] {
  return parts.flatMap(({ folder, made }) =>
    made.segments.map(({ duration, bytes }, index) => ({
      uri: relativeUri(playlist, `${folder}/${segmentName(index)}`),
      seconds: duration / made.timescale,
      bytes,
    })),
  );
}

/**
 * @param folder the assembling job's own folder, below the attempt
 * @returns the document and every file that it names and that does not exist yet
 */
export function writeTitle(
  title: { readonly videoId: string; readonly attempt: number; readonly plan: TitlePlan },
  folder: string,
  pieces: readonly MadePiece[],
  audio: MadeAudio | null,
): WrittenTitle {
  const { plan } = title;
  const rungs = rungsOf(plan, folder, pieces);
  const sound = audio && audioOf(plan, audio, `${audio.folder}/a/${playlistName}`);
  const track = `${folder}/storyboard.vtt`;
  const end = Math.max(...pieces.flatMap((piece) => piece.rungs.map((rung) => rung.end / rung.timescale)));
  const tiles = pieces.map((piece) => ({
    times: piece.tiles.map((ticks) => ticks / 90_000),
    sheets: Array.from({ length: piece.sheets }, (_sheet, index) =>
      relativeUri(track, `${piece.folder}/${sheetObject(index)}`),
    ),
  }));
  const poster = pieces.find((piece) => piece.thumbnail);
  const document: LadderDocument = {
    version: 1,
    videoId: title.videoId,
    attempt: title.attempt,
    durationMs: durationMs({
      ...plan.timeline,
      videoEnd: end,
      audioEnd: audio ? audio.end / audio.timescale : undefined,
    }),
    frames: pieces.reduce((sum, piece) => sum + (piece.rungs[0]?.samples ?? 0), 0),
    rungs: rungs.map(({ entry }) => entry),
    audio: sound && sound.entry,
    thumbnail: { path: `${poster?.folder}/${thumbnailName}`, width: 0, height: 0, ...poster?.thumbnail },
    storyboard: {
      track,
      intervalSeconds: plan.storyboard.interval,
      tile: { width: plan.storyboard.width, height: plan.storyboard.height },
    },
  };
  const files = [
    ...rungs.map(({ file }) => file),
    { path: track, body: storyboardTrack(plan.storyboard, tiles, end), contentType: 'text/vtt' },
  ];
  return { document, files };
}

function rungsOf(plan: TitlePlan, folder: string, pieces: readonly MadePiece[]) {
  return plan.rungs.map((rung, place) => {
    const parts = pieces.flatMap((piece) => {
      const made = piece.rungs[place];
      return made ? [{ folder: `${piece.folder}/v/${rung.name}`, made }] : [];
    });
    const { file, bandwidth } = writeRendition(`${folder}/v/${rung.name}/${playlistName}`, parts);
    const frames = parts.reduce((sum, { made }) => sum + made.samples, 0);
    const seconds = (parts.at(-1)?.made.end ?? 0) / (parts[0]?.made.timescale ?? 1);
    const entry: LadderRung = {
      name: rung.name,
      width: rung.width,
      height: rung.height,
      frameRate: round(plan.timeline.variable && seconds > 0 ? frames / seconds : plan.timeline.frameRate),
      bandwidth: bandwidth.peak,
      averageBandwidth: bandwidth.average,
      codecs: parts[0]?.made.codecs ?? '',
      playlist: file.path,
    };
    return { entry, file };
  });
}

/** Pictures that last for minutes still have a frame rate above zero. */
function round(value: number): number {
  return Math.max(1, Math.round(value * 1_000)) / 1_000;
}

/** Paths of everything that players can request, except the files of `writeTitle`. */
export function madePaths(pieces: readonly MadePiece[], audio: MadeAudio | null): string[] {
  return [
    ...pieces.flatMap(({ folder, rungs, sheets, thumbnail }) => [
      ...rungs.flatMap((rung) => partsOf(`${folder}/v/${rung.name}`, rung)),
      ...Array.from({ length: sheets }, (_sheet, index) => `${folder}/${sheetObject(index)}`),
      ...(thumbnail ? [`${folder}/${thumbnailName}`] : []),
    ]),
    ...(audio ? [`${audio.folder}/a/${playlistName}`, ...partsOf(`${audio.folder}/a`, audio)] : []),
  ];
}

function partsOf(folder: string, made: MadeRendition): string[] {
  return [`${folder}/${initName}`, ...made.segments.map((_segment, index) => `${folder}/${segmentName(index)}`)];
}
