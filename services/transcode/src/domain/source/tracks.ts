/** Which of a file's tracks are shown and heard: the default one, then the best, of those that can be played. */
import type { LadderAudio } from '@vds/proto/documents/ladder';

/** Inputs of the choice. */
export type Track = {
  /** Whether a decoder can play it, in a codec that we accept. */
  readonly playable: boolean;
  readonly isDefault: boolean;
  /** Commentary or a description for the blind. */
  readonly additional: boolean;
  /** Pixels of a picture; 0 for sound. */
  readonly pixels: number;
  /** How many packets the file holds; undefined before they were counted. */
  readonly packets: number | undefined;
};

/** VP8 goes beyond the specification: older WebM files hold it, and every decoder supports it. */
const videoCodecs = new Set(['h264', 'hevc', 'vp9', 'av1', 'vp8']);
/** A track with less than this share of another one's pictures holds stills. */
const STILLS = 0.1;
const audioCodecs = new Set(
  'aac mp3 mp2 opus vorbis ac3 eac3 flac alac dts truehd mlp amr_nb amr_wb pcm_alaw pcm_mulaw wmav2'.split(' '),
);

export function isVideoCodec(codec: string): boolean {
  return videoCodecs.has(codec);
}

export function isAudioCodec(codec: string): boolean {
  return audioCodecs.has(codec) || /^pcm_[suf]\d+/.test(codec);
}

export type SoundRole = NonNullable<LadderAudio['role']>;

/** By ffmpeg's dispositions; a description is for the blind, clean sound for those who hear little. */
const roles: readonly (readonly [role: SoundRole, flags: readonly string[]])[] = [
  ['description', ['descriptions', 'visual_impaired']],
  ['clean', ['clean_effects', 'hearing_impaired']],
  ['commentary', ['comment', 'karaoke']],
];

export function roleOf(has: (flag: string) => boolean): SoundRole {
  return roles.find(([, flags]) => flags.some(has))?.[0] ?? 'main';
}

/**
 * Chooses a track.
 * @param least packets below which a track is hardly one: a single picture is a cover
 */
export function chooseTrack<T extends Track>(tracks: readonly T[], least: 1 | 2): T | undefined {
  const full = fullness(tracks, least);
  return best(tracks, (track) => [full(track), Number(track.playable), ...wanted(track)]);
}

/** Whether the track that players would choose is not the chosen one, because it cannot be played. */
export function isPassedOver<T extends Track>(tracks: readonly T[], least: 1 | 2): boolean {
  const full = fullness(tracks, least);
  const first = best(tracks, (track) => [full(track), ...wanted(track)]);
  return first?.playable === false && chooseTrack(tracks, least) !== first;
}

/** Up to `least` packets, and one of a few stills beside a film; a track whose packets were not counted has enough. */
function fullness(tracks: readonly Track[], least: 1 | 2): (track: Track) => number {
  const most = Math.max(0, ...tracks.map(({ packets = 0 }) => packets));
  return ({ packets = Number.POSITIVE_INFINITY }) => Math.min(packets, packets < most * STILLS ? 1 : least);
}

function wanted({ isDefault, additional, pixels }: Track): number[] {
  return [Number(isDefault), Number(!additional), pixels];
}

/** The first of those with the highest marks; earlier marks weigh more. */
function best<T>(tracks: readonly T[], marksOf: (track: T) => readonly number[]): T | undefined {
  return tracks.toSorted((one, other) => compare(marksOf(other), marksOf(one)))[0];
}

function compare(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((mark, index) => mark !== other[index]);
  return at < 0 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
}
