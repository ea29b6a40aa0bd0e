/** A source's track as its container declares it: the size of its pictures, and every packet. */
import { probe } from '../../clips.ts';

export type Packet = {
  /** Presentation time and duration in seconds; NaN where the container does not declare them. */
  readonly time: number;
  readonly duration: number;
  /** An edit list hides it: it exists only for the decoding of others. */
  readonly hidden: boolean;
};

export type Track = {
  readonly packets: readonly Packet[];
  /** The stored size. */
  readonly width: number;
  readonly height: number;
  /** Whether it must be rotated by 90°. */
  readonly turned: boolean;
};

type Probed = {
  readonly packets?: readonly { readonly pts_time?: string; readonly duration_time?: string; readonly flags: string }[];
  readonly streams: readonly {
    readonly width: number;
    readonly height: number;
    readonly side_data_list?: readonly { readonly rotation?: number }[];
  }[];
};

const CLOSE = 0.0006;

export async function readTrack(path: string, track: string): Promise<Track> {
  const entries = 'stream=width,height:stream_side_data=rotation:packet=pts_time,duration_time,flags';
  const text = await probe('-select_streams', track, '-show_entries', entries, '-of', 'json', path);
  const { packets = [], streams } = JSON.parse(text) as Probed;
  const [stream] = streams;
  if (!stream) throw new Error(`${path} has no track ${track}`);
  const { width, height, side_data_list: sides = [] } = stream;
  return {
    width,
    height,
    turned: sides.some(({ rotation = 0 }) => Math.abs(rotation) === 90),
    packets: packets.map(({ pts_time: time = '', duration_time: duration = '', flags }) => ({
      time: Number.parseFloat(time),
      duration: Number.parseFloat(duration),
      hidden: flags.includes('D'),
    })),
  };
}

/** Whether a picture of this time is hidden; some decoders output such pictures anyway. */
export function isHidden(packets: readonly Packet[], time: number): boolean {
  const matching = packets.filter((packet) => Math.abs(packet.time - time) < CLOSE);
  return matching.length > 0 && matching.every(({ hidden }) => hidden);
}

/** The declared duration of the picture at `time`. */
export function durationAt(packets: readonly Packet[], time: number): number | undefined {
  const found = packets.find((packet) => !packet.hidden && Math.abs(packet.time - time) < CLOSE)?.duration;
  return found !== undefined && found > 0 ? found : undefined;
}
