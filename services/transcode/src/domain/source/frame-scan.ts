/**
 * Every packet of a source, one line each, boiled down to what planning and verifying need: when each picture is shown,
 * where decoding can begin, where sound begins and ends. Holds eight bytes a picture, never the packets themselves.
 */

/** Times in seconds on the source's own clock. */
export type FrameScan = {
  /** Presentation times of all pictures, rising. */
  readonly times: Float64Array;
  /** Presentation times at which decoding can begin, rising. */
  readonly keys: Float64Array;
  /** When the last picture ends. */
  readonly end: number;
  readonly audio: { readonly start: number; readonly end: number } | undefined;
};

export type PacketSink = {
  /** One line of `ffprobe -show_entries packet=stream_index,pts_time,duration_time,flags -of csv=p=0`. */
  readonly line: (line: string) => void;
  readonly finish: () => FrameScan;
};

/** A growing column of numbers. */
const column = () => {
  let values = new Float64Array(4_096);
  let length = 0;
  return {
    add: (value: number): void => {
      if (length === values.length) {
        const grown = new Float64Array(length * 2);
        grown.set(values);
        values = grown;
      }
      values[length++] = value;
    },
    sorted: (): Float64Array => values.slice(0, length).sort(),
  };
};

/** Where a picture's length is not stored, it lasts as long as the usual gap. */
const usualGap = (times: Float64Array): number => {
  const gaps = times.subarray(1).map((time, index) => time - (times[index] ?? time));
  return gaps.sort()[gaps.length >> 1] ?? 0;
};

/**
 * @param video number of the video stream
 * @param audio number of the audio stream that will be encoded, if there is one
 */
export const scanPackets = (video: number, audio: number | undefined): PacketSink => {
  const times = column();
  const keys = column();
  let last = { time: Number.NEGATIVE_INFINITY, duration: Number.NaN };
  let sound: { start: number; end: number } | undefined;

  const picture = (time: number, duration: number, key: boolean): void => {
    times.add(time);
    if (key) keys.add(time);
    if (time > last.time) last = { time, duration };
  };
  return {
    line: (line) => {
      const [stream, pts, length, flags = ''] = line.split(',');
      const time = Number.parseFloat(pts ?? '');
      // D: decoded, never shown (edit lists, codec delay).
      if (Number.isNaN(time) || flags.includes('D')) return;
      const duration = Number.parseFloat(length ?? '');
      const index = Number(stream);
      if (index === video) picture(time, duration, flags.startsWith('K'));
      else if (index === audio) {
        const end = time + (duration > 0 ? duration : 0);
        sound = { start: Math.min(sound?.start ?? time, time), end: Math.max(sound?.end ?? end, end) };
      }
    },
    finish: () => {
      const sorted = times.sorted();
      const length = last.duration > 0 ? last.duration : usualGap(sorted);
      return {
        times: sorted,
        keys: keys.sorted(),
        end: sorted.length > 0 ? last.time + length : 0,
        audio: sound,
      };
    },
  };
};
