/** A source's track as its container tells of it: the size of its pictures, and every packet. */
import { probe } from '../clips.ts';

export type Packet = {
  /** Seconds at which it is shown, and for how long; NaN where the container does not say. */
  readonly time: number;
  readonly duration: number;
  /** An edit list hides it: it is there for others to be decoded. */
  readonly hidden: boolean;
};

export type Track = {
  readonly packets: readonly Packet[];
  /** As stored. */
  readonly width: number;
  readonly height: number;
  /** Whether it is to be turned by a quarter. */
  readonly lies: boolean;
};

type Probed = {
  readonly packets?: readonly { readonly pts_time?: string; readonly duration_time?: string; readonly flags: string }[];
  readonly streams: readonly {
    readonly width: number;
    readonly height: number;
    readonly side_data_list?: readonly { readonly rotation?: number }[];
  }[];
};

const close = 0.0006;

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
    lies: sides.some(({ rotation = 0 }) => Math.abs(rotation) === 90),
    packets: packets.map(({ pts_time: time = '', duration_time: duration = '', flags }) => ({
      time: Number.parseFloat(time),
      duration: Number.parseFloat(duration),
      hidden: flags.includes('D'),
    })),
  };
}

/** Whether a picture of this time is hidden; some decoders give such pictures all the same. */
export function isHidden(packets: readonly Packet[], time: number): boolean {
  const there = packets.filter((packet) => Math.abs(packet.time - time) < close);
  return there.length > 0 && there.every(({ hidden }) => hidden);
}

/** How long the container says that the picture at `time` lasts. */
export function durationAt(packets: readonly Packet[], time: number): number | undefined {
  const found = packets.find((packet) => !packet.hidden && Math.abs(packet.time - time) < close)?.duration;
  return found !== undefined && found > 0 ? found : undefined;
}
