/**
 * `ladder.json`: what a finished title consists of. Playback composes the master playlist out of it; every path is below
 * the attempt's prefix, which is also the path that players ask for.
 */
import type { TitlePlan } from '../plan/title-plan.ts';
import { durationMs } from '../plan/title-plan.ts';
import type { MadeRendition } from '../cmaf/rendition.ts';
import type { MadeAudio, MadePiece } from './finished-title.ts';
import { bandwidthOf, mediaPlaylist, type PlaylistSegment } from './media-playlist.ts';
import { initName, playlistName, relativeUri, segmentName, sheetObject, thumbnailName } from './object-keys.ts';
import { storyboardTrack } from './storyboard-track.ts';

export type LadderRung = {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  /** Frames a second: pictures by time for a variable rate. */
  readonly frame_rate: number;
  /** Bits a second of the pictures alone; a variant with sound adds the audio's. */
  readonly bandwidth: number;
  readonly average_bandwidth: number;
  readonly codecs: string;
  readonly playlist: string;
};

export type LadderDocument = {
  readonly version: 1;
  readonly video_id: string;
  readonly attempt: number;
  readonly duration_ms: number;
  readonly frames: number;
  /** Largest first. */
  readonly rungs: readonly LadderRung[];
  readonly audio: {
    readonly channels: 2;
    readonly sample_rate: number;
    readonly language: string | null;
    readonly bandwidth: number;
    readonly average_bandwidth: number;
    readonly codecs: string;
    readonly playlist: string;
  } | null;
  readonly thumbnail: { readonly path: string; readonly width: number; readonly height: number };
  readonly storyboard: {
    readonly track: string;
    readonly interval_seconds: number;
    readonly tile: { readonly width: number; readonly height: number };
  };
};

export type TitleFile = { readonly path: string; readonly body: string; readonly contentType: string };
export type WrittenTitle = { readonly document: LadderDocument; readonly files: readonly TitleFile[] };

const hlsType = 'application/vnd.apple.mpegurl';

/** The audio rendition's playlist, which its own unit writes: captions read it before the pictures are done. */
export function writeAudioPlaylist(plan: TitlePlan, audio: MadeAudio): TitleFile {
  return audioOf(plan, audio, `${audio.folder}/a/${playlistName}`).file;
}

function audioOf(plan: TitlePlan, audio: MadeAudio, playlist: string) {
  const { file, bandwidth } = writeRendition(playlist, [{ folder: `${audio.folder}/a`, made: audio }]);
  const entry: LadderDocument['audio'] = {
    channels: 2,
    sample_rate: audio.timescale,
    language: plan.facts.audio?.language ?? null,
    bandwidth: bandwidth.peak,
    average_bandwidth: bandwidth.average,
    codecs: audio.codecs,
    playlist: file.path,
  };
  return { entry, file };
}

/** @param playlist path of the playlist to write */
function writeRendition(playlist: string, parts: Parameters<typeof listSegments>[1]) {
  const segments = listSegments(playlist, parts);
  const map = relativeUri(playlist, `${parts[0]?.folder}/${initName}`);
  const file = { path: playlist, body: mediaPlaylist(map, segments), contentType: hlsType };
  return { file, bandwidth: bandwidthOf(segments) };
}

/** Segments of one rendition over all folders that hold a part of it, as its playlist at `playlist` names them. */
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
 * @param folder the assembling unit's own folder, below the attempt
 * @returns the document and every file to be stored with it
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
    video_id: title.videoId,
    attempt: title.attempt,
    duration_ms: durationMs({
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
      interval_seconds: plan.storyboard.interval,
      tile: { width: plan.storyboard.width, height: plan.storyboard.height },
    },
  };
  const files = [
    ...rungs.map(({ file }) => file),
    { path: track, body: storyboardTrack(plan.storyboard, tiles, end), contentType: 'text/vtt' },
    { path: `${folder}/ladder.json`, body: JSON.stringify(document, null, 1), contentType: 'application/json' },
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
      frame_rate: round(plan.timeline.variable && seconds > 0 ? frames / seconds : plan.timeline.frameRate),
      bandwidth: bandwidth.peak,
      average_bandwidth: bandwidth.average,
      codecs: parts[0]?.made.codecs ?? '',
      playlist: file.path,
    };
    return { entry, file };
  });
}

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}

/** Paths of everything that players can ask for but the files of `writeTitle` themselves. */
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
