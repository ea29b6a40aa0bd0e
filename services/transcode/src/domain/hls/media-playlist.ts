/** HLS media playlists (RFC 8216 §4.3) of finished renditions, and the bandwidths for a master playlist. */

export type PlaylistSegment = {
  /** Relative to the playlist. */
  readonly uri: string;
  readonly seconds: number;
  readonly bytes: number;
};

/** A picture of an I-frame playlist. */
export type PlaylistPicture = PlaylistSegment & {
  /** Bytes, from the beginning of `uri`. */
  readonly offset: number;
};

/** Seconds that the segments still to come last, at most as a rule: the target duration of a playlist never changes. */
const MAX_USUAL = 12;

/**
 * The playlist of a whole video.
 * @param map relative address of the init segment
 * @param independent whether every segment can be decoded by itself
 * @returns version 7 with EXT-X-MAP, ended
 */
export function mediaPlaylist(map: string, segments: readonly PlaylistSegment[], independent = true): string {
  return playlist(map, segments, { type: 'VOD', target: targetOf(segments), ended: true, independent });
}

/** The playlist of a video's beginning, which grows (RFC 8216 §4.3.3.5). @param ended whether nothing will be added */
export function growingPlaylist(map: string, segments: readonly PlaylistSegment[], ended: boolean): string {
  return playlist(map, segments, {
    type: 'EVENT',
    target: Math.max(MAX_USUAL, targetOf(segments)),
    ended,
    independent: true,
  });
}

/**
 * The I-frame playlist of a whole video (RFC 8216 §4.3.3.6): one picture for each group of pictures, as byte ranges of the
 * segments there are. Players show them while a viewer seeks or winds.
 */
export function pictureList(map: string, pictures: readonly PlaylistPicture[]): string {
  return [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${targetOf(pictures)}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    '#EXT-X-I-FRAMES-ONLY',
    `#EXT-X-MAP:URI="${map}"`,
    ...pictures.flatMap(({ uri, seconds, bytes, offset }) => [
      `#EXTINF:${seconds.toFixed(6)},`,
      `#EXT-X-BYTERANGE:${bytes}@${offset}`,
      uri,
    ]),
    '#EXT-X-ENDLIST',
    '',
  ].join('\n');
}

type Kind = {
  readonly type: 'VOD' | 'EVENT';
  readonly target: number;
  readonly ended: boolean;
  readonly independent: boolean;
};

function playlist(
  map: string,
  segments: readonly PlaylistSegment[],
  { type, target, ended, independent }: Kind,
): string {
  const lines = segments.flatMap(({ uri, seconds }) => [`#EXTINF:${seconds.toFixed(6)},`, uri]);
  return [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${target}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    `#EXT-X-PLAYLIST-TYPE:${type}`,
    // Else players begin a growing playlist near its end (RFC 8216 §4.3.5.2).
    ...(type === 'EVENT' ? ['#EXT-X-START:TIME-OFFSET=0'] : []),
    ...(independent ? ['#EXT-X-INDEPENDENT-SEGMENTS'] : []),
    `#EXT-X-MAP:URI="${map}"`,
    ...lines,
    ...(ended ? ['#EXT-X-ENDLIST'] : []),
    '',
  ].join('\n');
}

/** RFC 8216 §4.3.3.1: every duration, rounded to the nearest whole second, is at most the target. */
function targetOf(segments: readonly PlaylistSegment[]): number {
  return segments.reduce((most, { seconds }) => Math.max(most, Math.round(seconds)), 1);
}

/**
 * Peak and average segment bit rate in bits a second (RFC 8216 §4.1): the peak is that of any run of segments that
 * lasts from 0.5 to 1.5 times the target duration.
 */
export function bandwidthOf(segments: readonly PlaylistSegment[]): { readonly peak: number; readonly average: number } {
  const target = targetOf(segments);
  const totalSeconds = segments.reduce((sum, { seconds }) => sum + seconds, 0);
  const totalBytes = segments.reduce((sum, { bytes }) => sum + bytes, 0);
  const average = totalSeconds > 0 ? Math.ceil((totalBytes * 8) / totalSeconds) : 0;
  let peak = average;
  segments.forEach((_first, from) => {
    let [seconds, bytes] = [0, 0];
    for (const segment of segments.slice(from)) {
      seconds += segment.seconds;
      bytes += segment.bytes;
      if (seconds > target * 1.5) break;
      if (seconds >= target * 0.5) peak = Math.max(peak, Math.ceil((bytes * 8) / seconds));
    }
  });
  return { peak, average };
}
