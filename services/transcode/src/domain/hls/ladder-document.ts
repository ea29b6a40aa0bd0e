/** The files of an encoded video: its ladder document, its playlists, and the paths of all others. */
import type { LadderAudio, LadderDocument, LadderOriginal, LadderRung } from '@vds/proto/documents/ladder';
import type { EncodedRendition } from '../cmaf/rendition.ts';
import { supplementalCodecsOf } from '../cmaf/supplemental-codecs.ts';
import { chaptersOf } from '../source/chapters.ts';
import type { AudioStream } from '../source/probe.ts';
import { languageTagOf } from '../source/probe-json.ts';
import { originalName } from '../jobs/copy-original.ts';
import type { CopiedOriginal, EncodedAlternate, EncodedPiece, EncodedSound, JobResults } from '../plan/job-results.ts';
import { VIDEO_TIMESCALE } from '../plan/encode-arguments.ts';
import { durationMs, type EncodePlan } from '../plan/encode-plan.ts';
import { AUDIO_SAMPLE_RATE } from '../plan/sound-rate.ts';
import {
  bandwidthOf,
  mediaPlaylist,
  pictureList,
  type PlaylistPicture,
  type PlaylistSegment,
} from './media-playlist.ts';
import {
  initName,
  picturesName,
  playlistName,
  relativeUri,
  segmentName,
  sheetObject,
  textsName,
  thumbnailName,
} from '../object-keys.ts';
import { storyboardTrack } from './storyboard-track.ts';

export type OutputFile = { readonly path: string; readonly body: string; readonly contentType: string };

const hlsType = 'application/vnd.apple.mpegurl';

/**
 * The audio rendition's playlist, written by its own job: captions reads it before the pictures are encoded.
 * @param folder of that job, below the attempt
 */
export function writeAudioPlaylist(plan: EncodePlan, folder: string, sound: readonly EncodedSound[]): OutputFile {
  return audioOf(plan, folder, sound).file;
}

function audioOf(plan: EncodePlan, folder: string, sound: readonly EncodedSound[]) {
  return writeTrack(plan.probe.audio, `${folder}/a/${playlistName}`, sound);
}

function alternatesOf({ probe }: EncodePlan, folder: string, alternates: readonly EncodedAlternate[]) {
  return alternates.map((track) =>
    writeTrack(probe.alternates?.[track.index], `${folder}/a${track.index}/${playlistName}`, [track]),
  );
}

function writeTrack(
  audio: AudioStream | undefined,
  playlist: string,
  sound: readonly (EncodedSound | EncodedAlternate)[],
): { readonly entry: LadderAudio; readonly file: OutputFile } {
  const { file, bandwidth } = writeRendition(playlist, soundParts(sound));
  const { title, role } = audio ?? {};
  const entry = {
    channels: 2,
    sampleRate: AUDIO_SAMPLE_RATE,
    language: languageTagOf(audio?.language),
    ...(title !== undefined && { title }),
    ...(role !== undefined && { role }),
    bandwidth: bandwidth.peak,
    averageBandwidth: bandwidth.average,
    codecs: sound[0]?.codecs ?? '',
    playlist: file.path,
  };
  return { entry, file };
}

/** Some segments of a rendition, and the folder that holds them. */
export type RenditionPart = { readonly folder: string; readonly encoded: EncodedRendition };

/** @param playlist path of the playlist to write; the addresses in it are relative to it */
function writeRendition(playlist: string, parts: readonly RenditionPart[], independent = true) {
  const segments = segmentsOf(playlist, parts);
  const map = relativeUri(playlist, `${parts[0]?.folder}/${initName}`);
  const file = { path: playlist, body: mediaPlaylist(map, segments, independent), contentType: hlsType };
  return { file, bandwidth: bandwidthOf(segments) };
}

/** The segments of all parts, with addresses relative to the playlist. */
export function segmentsOf(playlist: string, parts: readonly RenditionPart[]): PlaylistSegment[] {
  return parts.flatMap(({ folder, encoded }) =>
    encoded.segments.map(({ duration, bytes }, index) => ({
      uri: relativeUri(playlist, `${folder}/${segmentName(index)}`),
      seconds: duration / encoded.timescale,
      bytes,
    })),
  );
}

/** The first picture of each group of pictures, with how long it stands for the video; addresses as of `segmentsOf`. */
export function picturesOf(playlist: string, parts: readonly RenditionPart[]): PlaylistPicture[] {
  let start = 0;
  const pictures = parts.flatMap(({ folder, encoded: { segments, timescale } }) =>
    segments.flatMap(({ duration, keys = [] }, index) => {
      const uri = relativeUri(playlist, `${folder}/${segmentName(index)}`);
      const from = start;
      start += duration / timescale;
      return keys.map(({ offset, length, at }) => ({ uri, offset, bytes: length, at: from + at / timescale }));
    }),
  );
  return pictures.map(({ at, ...picture }, index) => ({
    ...picture,
    seconds: (pictures[index + 1]?.at ?? start) - at,
  }));
}

/** The parts of one rung. @param place of the rung in the ladder */
export function partsOf(pieces: readonly EncodedPiece[], name: string, place: number): RenditionPart[] {
  return pieces.flatMap((piece) => {
    const encoded = piece.rungs[place];
    return encoded ? [{ folder: `${piece.folder}/v/${name}`, encoded }] : [];
  });
}

export function soundParts(sound: readonly (EncodedSound | EncodedAlternate)[]): RenditionPart[] {
  return sound.map((encoded) => ({ folder: `${encoded.folder}/a`, encoded }));
}

/**
 * @param folder of the assembling job, below the attempt
 * @returns the document and every file that it names and that does not exist yet
 */
export function buildLadder(
  { videoId, attempt, plan }: { readonly videoId: string; readonly attempt: number; readonly plan: EncodePlan },
  folder: string,
  { pieces, audio, sound, alternates, texts, original: copied }: JobResults,
): { readonly document: LadderDocument; readonly files: readonly OutputFile[] } {
  const { storyboard } = plan;
  const rungs = rungsOf(plan, folder, pieces);
  const others = alternatesOf(plan, folder, alternates);
  const original = copied && originalEntry(plan, folder, copied);
  const track = `${folder}/storyboard.vtt`;
  const end = Math.max(...pieces.flatMap((piece) => piece.rungs.map((rung) => rung.end / rung.timescale)));
  const tiles = pieces.map((piece) => ({
    times: piece.tiles.map((ticks) => ticks / VIDEO_TIMESCALE),
    sheets: sheetsOf(piece).map((sheet) => relativeUri(track, sheet)),
  }));
  const chapters = chaptersOf(plan.probe.chapters ?? [], plan.timeline);
  const poster = pieces.find((piece) => piece.thumbnail);
  const document: LadderDocument = {
    version: 1,
    videoId,
    attempt,
    durationMs: durationMs({ end }),
    frames: pieces.reduce((sum, piece) => sum + (piece.rungs[0]?.samples ?? 0), 0),
    rungs: rungs.map(({ entry }) => entry),
    ...(original && { original: original.entry }),
    audio: audio && audioOf(plan, audio.folder, sound).entry,
    ...(others.length > 0 && { alternates: others.map(({ entry }) => entry) }),
    ...(texts && texts.languages.length > 0 && { texts: `${texts.folder}/${textsName}` }),
    ...(chapters.length > 0 && { chapters }),
    thumbnail: { path: `${poster?.folder}/${thumbnailName}`, width: 0, height: 0, ...poster?.thumbnail },
    storyboard: {
      track,
      intervalSeconds: storyboard.interval,
      tile: { width: storyboard.width, height: storyboard.height },
    },
  };
  const storyboardFile = { path: track, body: storyboardTrack(storyboard, tiles, end), contentType: 'text/vtt' };
  const playlists = [
    ...rungs.flatMap(({ files }) => files),
    ...others.map(({ file }) => file),
    ...(original ? [original.file] : []),
  ];
  return { document, files: [...playlists, storyboardFile] };
}

function originalEntry({ probe: { video }, peakRate, original }: EncodePlan, folder: string, encoded: CopiedOriginal) {
  const parts = [{ folder: `${encoded.folder}/v/${originalName}`, encoded }];
  const { range = 'SDR', independent = false } = original ?? {};
  const { file, bandwidth } = writeRendition(`${folder}/v/${originalName}/${playlistName}`, parts, independent);
  const { width, height } = video;
  const supplementalCodecs = supplementalCodecsOf(Buffer.from(encoded.init, 'base64'));
  const entry: LadderOriginal = {
    ...{ name: originalName, width, height, range, independent },
    frameRate: writtenRate(peakRate),
    bandwidth: bandwidth.peak,
    averageBandwidth: bandwidth.average,
    codecs: encoded.codecs,
    ...(supplementalCodecs !== undefined && { supplementalCodecs }),
    playlist: file.path,
  };
  return { entry, file };
}

function rungsOf(plan: EncodePlan, folder: string, pieces: readonly EncodedPiece[]) {
  return plan.rungs.map((rung, place) => {
    const parts = partsOf(pieces, rung.name, place);
    const { file, bandwidth } = writeRendition(`${folder}/v/${rung.name}/${playlistName}`, parts);
    const pictures = writePictures(`${folder}/v/${rung.name}/${picturesName}`, parts);
    const entry: LadderRung = {
      name: rung.name,
      width: rung.width,
      height: rung.height,
      frameRate: writtenRate(plan.peakRate),
      bandwidth: bandwidth.peak,
      averageBandwidth: bandwidth.average,
      codecs: parts[0]?.encoded.codecs ?? '',
      playlist: file.path,
      ...(pictures && { pictures: pictures.entry }),
    };
    return { entry, files: [file, ...(pictures ? [pictures.file] : [])] };
  });
}

/** Undefined for results of a release that did not note where the pictures are. */
function writePictures(playlist: string, parts: readonly RenditionPart[]) {
  const pictures = picturesOf(playlist, parts);
  if (pictures.length === 0) return undefined;
  const map = relativeUri(playlist, `${parts[0]?.folder}/${initName}`);
  const file = { path: playlist, body: pictureList(map, pictures), contentType: hlsType };
  return { file, entry: { playlist, bandwidth: bandwidthOf(pictures).peak } };
}

/** Pictures that last for minutes still have a frame rate above zero. */
export function writtenRate(value: number): number {
  return Math.max(1, Math.round(value * 1_000)) / 1_000;
}

/** Paths of everything that players can request, except the files of `buildLadder`. */
export function outputPaths({ pieces, audio, sound, alternates, original }: JobResults): string[] {
  return [
    ...pieces.flatMap((piece) => [
      ...piece.rungs.flatMap((rung) => renditionPaths(`${piece.folder}/v/${rung.name}`, rung)),
      ...sheetsOf(piece),
      ...(piece.thumbnail ? [`${piece.folder}/${thumbnailName}`] : []),
    ]),
    ...(original ? renditionPaths(`${original.folder}/v/${originalName}`, original) : []),
    ...(audio ? [`${audio.folder}/a/${playlistName}`] : []),
    ...[...sound, ...alternates].flatMap((chunk) => renditionPaths(`${chunk.folder}/a`, chunk)),
  ];
}

function renditionPaths(folder: string, { segments }: EncodedRendition): string[] {
  return [`${folder}/${initName}`, ...segments.map((_segment, index) => `${folder}/${segmentName(index)}`)];
}

function sheetsOf({ folder, sheets }: EncodedPiece): string[] {
  return Array.from({ length: sheets }, (_sheet, index) => `${folder}/${sheetObject(index)}`);
}
