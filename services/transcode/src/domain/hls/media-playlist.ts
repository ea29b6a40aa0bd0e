/** HLS media playlists (RFC 8216 §4.3) of finished renditions, and the bandwidths for a master playlist. */

export type PlaylistSegment = {
  /** Relative to the playlist. */
  readonly uri: string;
  readonly seconds: number;
  readonly bytes: number;
};

export type Bandwidth = {
  /** Bits a second. */
  readonly peak: number;
  readonly average: number;
};

/**
 * The playlist of a whole video.
 * @param map relative address of the init segment
 * @returns version 7 with EXT-X-MAP, every segment decodable by itself, ended
 */
export function mediaPlaylist(map: string, segments: readonly PlaylistSegment[]): string {
  // RFC 8216 §4.3.3.1: every duration, rounded to the nearest whole second, is at most the target.
  const target = segments.reduce((most, { seconds }) => Math.max(most, Math.round(seconds)), 1);
  const lines = segments.flatMap(({ uri, seconds }) => [`#EXTINF:${seconds.toFixed(6)},`, uri]);
  return [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${target}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    '#EXT-X-INDEPENDENT-SEGMENTS',
    `#EXT-X-MAP:URI="${map}"`,
    ...lines,
    '#EXT-X-ENDLIST',
    '',
  ].join('\n');
}

/**
 * Peak and average segment bit rate (RFC 8216 §4.1): the peak is that of any run of segments that lasts from 0.5 to 1.5
 * times the target duration.
 */
export function bandwidthOf(segments: readonly PlaylistSegment[]): Bandwidth {
  const target = segments.reduce((most, { seconds }) => Math.max(most, Math.round(seconds)), 1);
  const total = segments.reduce(
    (sum, { seconds, bytes }) => ({ seconds: sum.seconds + seconds, bytes: sum.bytes + bytes }),
    { seconds: 0, bytes: 0 },
  );
  const average = total.seconds > 0 ? Math.ceil((total.bytes * 8) / total.seconds) : 0;
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
