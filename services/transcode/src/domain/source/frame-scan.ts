/**
 * Every packet of a source, one line each, reduced to what planning and verification need: when each picture is shown,
 * where decoding can begin, where sound begins and ends. Holds thirty-two bytes per picture, never the packets themselves.
 */
import type { KeyUnits } from './parameter-sets.ts';
import { collectPackets, column, readHash, type StoredPackets } from './stored-packets.ts';

/** Times in seconds on the source's own clock. */
export type FrameScan = {
  /** Presentation times of all pictures that are shown, rising. */
  readonly times: Float64Array;
  /** Presentation times at which decoding can begin, rising; includes pictures that are not shown. */
  readonly keys: Float64Array;
  /** When the last picture ends. */
  readonly end: number;
  readonly audio: { readonly start: number; readonly end: number } | undefined;
  /** Seconds of sound that its packets hold together, without the gaps that some files store as long packets. */
  readonly soundLength: number;
  /** Its packets in decode order; undefined if there are too many, as of codecs with very short ones. */
  readonly sound?: SoundPackets | undefined;
  /** When the last packet of any track ends. */
  readonly lastEnd: number;
  /**
   * Packets of the video in decode order for which a decoder may show nothing: those that an edit list hides, those
   * before the first key picture, and pictures shown before that one, which may refer to pictures that the file lacks.
   */
  readonly leadIn: number;
  /** Whether an edit list hides pictures between others that are shown. */
  readonly hiddenInside: boolean;
  /** When the last picture that an edit list hides before the first shown one begins. */
  readonly hiddenBefore: number | undefined;
  /** When the first picture begins where that is before the edit list does: until then it is not shown. */
  readonly heldFrom: number | undefined;
  /** When the first picture would be shown that cannot be decoded, of those before the first one that can. */
  readonly lostFrom: number | undefined;
  /** Pictures without their own time: only decoding reveals when they are shown. */
  readonly untimed: number;
  /** The video's packets in decode order, those that show nothing among them. */
  readonly stored: StoredPackets;
  /** Undefined for codecs whose key packets are not examined. */
  readonly keyUnits?: KeyUnits | undefined;
  /** How many packets each stream of the file has. */
  readonly packets: ReadonlyMap<number, number>;
  /** Where decoding starts again at an earlier time, as in appended recordings. */
  readonly restart: { readonly at: number; readonly after: number } | undefined;
  /** Whether a copy of a part cannot be decoded by itself: its pictures have no times, or lack their headers. */
  readonly indivisible: boolean;
};

export type ScanOptions = {
  /** Number of the video stream. */
  readonly video: number;
  /** Number of the audio stream that will be encoded, if there is one. */
  readonly audio: number | undefined;
  /**
   * Whether a packet of the video at a byte position shows a picture; some codecs have packets that only prepare one.
   */
  readonly shows?: (at: number, bytes: number) => boolean;
  /** Is passed the size of every packet, and whether it is one of the video's; may throw to end the scan. */
  readonly onPacket?: (bytes: number, isPicture: boolean) => void;
  /** Is passed where each key packet of the video lies. */
  readonly onKey?: (at: number, bytes: number) => void;
};

/** Seconds by which a key picture may be shown before one that precedes it: clocks of recorders jump. */
const MAX_STEP = 1;

type Packet = { readonly time: number; readonly length: number; readonly key: boolean; readonly hidden: boolean };

/** Seconds; frames of sound are shorter. */
const MAX_FRAME = 0.2;
/** Seconds that sound may be off its time before silence is added or sound is cut: smaller gaps may add up. */
export const MAX_LAG = 0.025;
/** Of sound, of which places are kept: twelve hours of the usual codecs. */
const MAX_SOUND_PACKETS = 4_000_000;
/** Seconds by which printed times may differ. */
const PRINTED = 2.1e-6;

export type SoundPackets = {
  readonly packets: StoredPackets;
  /** Whether each packet begins where the one before ends, or so long after it that silence is put between them. */
  readonly steady: boolean;
};

type Sound = NonNullable<FrameScan['audio']>;

/**
 * Creates the sink for the packets of a file: lines of `ffprobe -show_entries
 * packet=stream_index,pts_time,duration_time,size,pos,flags,data_hash:packet_side_data=side_data_type -show_data_hash
 * CRC32 -of csv=p=0`, in the file's order.
 */
export function scanPackets({ video, audio, shows, onKey, onPacket }: ScanOptions) {
  const pictures = createPictures(shows);
  const packets = new Map<number, number>();
  const stored = collectPackets();
  const heard = collectSound();
  let sound: Sound | undefined;
  let soundLength = 0;
  let lastFrame = 0;
  let lastEnd = 0;
  let newHeaders = false;
  let last: typeof stored | undefined;
  return {
    line: (line: string): void => {
      const [stream, pts, length, bytes, at, flags = '', ...more] = line.split(',');
      // Behind the side data of a packet some versions of ffprobe begin another line.
      if (stream === '' || stream === undefined) {
        last?.setHash(hashAmong(pts === undefined ? [] : [pts]));
        return;
      }
      const index = Number(stream);
      last = index === video ? stored : index === audio ? heard.packets : undefined;
      onPacket?.(Number(bytes), index === video);
      packets.set(index, (packets.get(index) ?? 0) + 1);
      const packet = readPacket(pts, length, flags);
      const end = packet.time + packet.length;
      if (end > lastEnd) lastEnd = end;
      if (index !== video && index !== audio) return;
      const { time, key } = packet;
      const place = { at: Number.parseInt(at ?? '', 10), bytes: Number(bytes), hash: hashAmong(more) ?? 0, time };
      if (index === audio) heard.add(packet, place);
      if (index === video) {
        pictures.add(packet, Number(at), Number(bytes));
        stored.add({ ...place, key });
        newHeaders ||= more.includes('New Extradata');
        if (packet.key) onKey?.(Number(at), Number(bytes));
      } else if (!packet.hidden && !Number.isNaN(packet.time)) {
        // The last one may be stored without a length; what ffprobe then says depends on what it could decode.
        lastFrame = packet.length || lastFrame;
        sound = longer(sound, packet.time, lastFrame);
        soundLength += Math.min(lastFrame, MAX_FRAME);
      }
    },
    finish: (): FrameScan => ({
      ...pictures.finish(),
      stored: stored.finish(),
      indivisible: newHeaders,
      audio: sound,
      soundLength,
      sound: heard.finish(),
      lastEnd,
      packets,
    }),
  };
}

function hashAmong(fields: readonly string[]): number | undefined {
  const field = fields.find((one) => one.startsWith('CRC32:'));
  return field === undefined ? undefined : readHash(field);
}

/** Collects the sound's packets, and whether their times leave no doubt where each sample belongs. */
function collectSound() {
  const packets = collectPackets();
  let count = 0;
  let steady = true;
  let end: number | undefined;
  return {
    packets,
    add: ({ time, length, hidden }: Packet, place: { at: number; bytes: number; hash: number; time: number }): void => {
      if (++count > MAX_SOUND_PACKETS) return;
      packets.add({ ...place, key: false });
      const off = end === undefined ? 0 : time - end;
      if (hidden ? end !== undefined : !(Math.abs(off) < PRINTED || off > MAX_LAG)) steady = false;
      if (!hidden) end = time + length;
    },
    finish: (): SoundPackets | undefined =>
      count > 0 && count <= MAX_SOUND_PACKETS ? { packets: packets.finish(), steady } : undefined,
  };
}

/** Collects the video's packets. */
function createPictures(shows: ScanOptions['shows']) {
  const times = column(Float64Array);
  const keys = column(Float64Array);
  const leadIn = createLeadIn();
  let last = { time: Number.NEGATIVE_INFINITY, length: 0 };
  const hidden = column(Float64Array);
  let untimed = 0;
  let restart: FrameScan['restart'];

  const add = (packet: Packet, at: number, bytes: number): void => {
    const { time, key } = packet;
    if (key && !Number.isNaN(time)) keys.add(time);
    const leading = leadIn.add(packet);
    // A test may depend on the packets before.
    const isPicture = !shows || shows(at, bytes);
    if (packet.hidden) {
      hidden.add(time);
      return;
    }
    if (!isPicture) return;
    if (Number.isNaN(time)) {
      if (!leading) untimed++;
      return;
    }
    times.add(time);
    if (key && time < last.time - MAX_STEP) restart ??= { at: time, after: last.time };
    if (time > last.time) last = packet;
  };
  const finish = () => {
    const sorted = times.values().sort();
    const unseen = hidden.values().sort();
    return {
      restart,
      times: sorted,
      keys: keys.values().sort(),
      end: sorted.length > 0 ? last.time + lastLength(last.length, sorted) : 0,
      leadIn: leadIn.length(),
      hiddenInside: unseen.some((time) => time > (sorted[0] ?? 0) && time < last.time),
      hiddenBefore: unseen.findLast((time) => time < (sorted[0] ?? 0)),
      heldFrom: undefined,
      lostFrom: undefined,
      untimed: untimed + gapsOf(sorted).filter((gap) => gap === 0).length,
    };
  };
  return { add, finish };
}

/** Follows the video in decode order through its lead-in. */
function createLeadIn() {
  let packets = 0;
  let length = 0;
  let firstKey: number | undefined;
  let over = false;
  return {
    /** Adds the next packet; true while the lead-in continues. */
    add: ({ time, key, hidden }: Packet): boolean => {
      packets++;
      if (over) return false;
      if (firstKey === undefined && key) firstKey = time;
      // A key picture without a time is followed by others that have none either.
      else over = !hidden && firstKey !== undefined && (Number.isNaN(firstKey) || time > firstKey);
      if (!over) length = packets;
      return !over;
    },
    length: () => length,
  };
}

/** Seconds. A shorter picture would be none: the shortest gap that is usual. */
const MIN_PICTURE = 1 / 60;

/**
 * The last picture may be stored without a length, or with a length of one tick: then it lasts as long as the usual
 * gap. Where pictures are held for seconds, a length of one ordinary picture is meant.
 */
function lastLength(stored: number, times: Float64Array): number {
  const usual = usualGap(times);
  return stored > Math.min(usual, MIN_PICTURE) / 2 ? stored : usual;
}

/** The median distance of two pictures; 0 if there are not two. */
function usualGap(times: Float64Array): number {
  const gaps = gapsOf(times).sort();
  return gaps[gaps.length >> 1] ?? 0;
}

/** The distances of neighbouring pictures. */
export function gapsOf(times: Float64Array): Float64Array {
  return times.subarray(1).map((time, index) => time - (times[index] ?? time));
}

function readPacket(pts: string | undefined, length: string | undefined, flags: string): Packet {
  const duration = Number.parseFloat(length ?? '');
  return {
    time: Number.parseFloat(pts ?? ''),
    length: duration > 0 ? duration : 0,
    key: flags.startsWith('K'),
    // D: decoded, never shown (edit lists, codec delay).
    hidden: flags.includes('D'),
  };
}

function longer(sound: Sound | undefined, time: number, length: number): Sound {
  return {
    start: Math.min(sound?.start ?? time, time),
    end: Math.max(sound?.end ?? time, time + length),
  };
}

/** The scan without the pictures before `first`, which cannot be decoded. */
export function beginAt(scan: FrameScan, first: number): FrameScan {
  const times = scan.times.filter((time) => time >= first - 1e-6);
  return { ...scan, times, lostFrom: times.length < scan.times.length ? scan.times[0] : undefined };
}

/** The scan of pictures whose two fields are decoded one after the other: each is shown when its first field is. */
export function joinFields(scan: FrameScan): FrameScan {
  const pairs = Math.floor(scan.times.length / 2);
  return { ...scan, times: scan.times.filter((_time, index) => index % 2 === 0 && index < pairs * 2) };
}

/** A single picture whose packet has no length lasts as long as its file. */
export function lastingAtLeast(scan: FrameScan, seconds: number): FrameScan {
  const [first = 0] = scan.times;
  return scan.end > first ? scan : { ...scan, end: first + seconds };
}

/**
 * Creates the sink for the pictures that decoding shows, for sources whose packets lack their times: lines of `ffprobe
 * -show_entries frame=best_effort_timestamp_time,pkt_duration_time -of csv=p=0`. The scan that it returns has their
 * times in place of the packets'.
 */
export function scanShown() {
  const times = column(Float64Array);
  let last = { time: Number.NEGATIVE_INFINITY, length: 0 };
  let heldBack = 0;
  return {
    line: (line: string): void => {
      const [shown, length] = line.split(',');
      if (shown === 'N/A') heldBack++;
      const packet = readPacket(shown, length, '');
      if (Number.isNaN(packet.time)) return;
      heldBack = 0;
      times.add(packet.time);
      if (packet.time > last.time) last = packet;
    },
    finish: (scan: FrameScan): FrameScan => {
      // A decoder that is given only times of decoding shows the last pictures without a time.
      const gap = usualGap(times.values().sort());
      for (; heldBack > 0 && gap > 0; heldBack--) {
        last = { ...last, time: last.time + gap };
        times.add(last.time);
      }
      const sorted = times.values().sort();
      const end = last.time + lastLength(last.length, sorted);
      // Where not even key pictures have times, decoding begins at the first one.
      const keys = scan.keys.length > 0 ? scan.keys : sorted.slice(0, 1);
      return {
        ...scan,
        times: sorted,
        keys,
        end,
        lostFrom: undefined,
        untimed: 0,
        indivisible: scan.indivisible || keys !== scan.keys,
      };
    },
  };
}
