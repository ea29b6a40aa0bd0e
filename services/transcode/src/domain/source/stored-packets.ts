/**
 * Where every packet of the video lies in the file, and what it holds, in decode order: which bytes a piece needs, and
 * whether what was copied for it is what the whole file holds there.
 */

export type StoredPackets = {
  /** Bytes at which the packets begin; NaN where the demuxer does not tell. */
  readonly at: Float64Array;
  readonly bytes: Uint32Array;
  /** When they are shown, in seconds of the source's clock; NaN where only decoding reveals it. */
  readonly times: Float64Array;
  /** CRC-32 of the packets' data. */
  readonly hashes: Uint32Array;
  /** Of the key packets: when they are shown, in seconds of the source's clock, and their numbers. */
  readonly keys: ReadonlyMap<number, number>;
};

/** The run of packets that a piece was copied as, before all of the source was listed. */
export type CopiedRun = {
  /** Number of the first one. */
  readonly from: number;
  readonly count: number;
};

export type PacketHash = { readonly bytes: number; readonly hash: number };

type Columns = { readonly bytes: ArrayLike<number>; readonly hashes: ArrayLike<number> };
type Wanted = { readonly first: number; readonly end: number };

/** Of a packet in the list that is stored beside the plan. */
export const LISTED_BYTES = 8;

export function collectPackets() {
  const [at, times] = [column(Float64Array), column(Float64Array)];
  const [bytes, hashes] = [column(Uint32Array), column(Uint32Array)];
  const keys = new Map<number, number>();
  let length = 0;
  return {
    add: (packet: PacketHash & { readonly at: number; readonly time: number; readonly key: boolean }): void => {
      at.add(packet.at);
      bytes.add(packet.bytes);
      hashes.add(packet.hash);
      times.add(packet.time);
      if (packet.key && !Number.isNaN(packet.time) && !keys.has(packet.time)) keys.set(packet.time, length);
      length++;
    },
    /** Of the last packet. */
    setHash: (hash: number | undefined): void => {
      if (hash !== undefined) hashes.setLast(hash);
    },
    finish: (): StoredPackets => ({
      at: at.values(),
      times: times.values(),
      bytes: bytes.values(),
      hashes: hashes.values(),
      keys,
    }),
  };
}

/** A growing column of numbers. */
export function column<Values extends Float64Array | Uint32Array>(Type: new (length: number) => Values) {
  let values = new Type(4_096);
  let length = 0;
  return {
    add: (value: number): void => {
      if (length === values.length) {
        const grown = new Type(length * 2);
        grown.set(values);
        values = grown;
      }
      values[length++] = value;
    },
    setLast: (value: number): void => {
      values[length - 1] = value;
    },
    /** A copy. */
    values: (): Values => values.slice(0, length) as Values,
  };
}

/** The CRC-32 of a packet's data as ffmpeg prints it: `CRC32:f8acf27c`, or without the name. */
export function readHash(text: string | undefined): number {
  return Number.parseInt(text?.replace('CRC32:', '') ?? '', 16);
}

/** Size and hash of every packet, little-endian, as it is stored. */
export function listOf({ bytes, hashes }: Columns): Buffer {
  const list = Buffer.alloc(bytes.length * LISTED_BYTES);
  for (let number = 0; number < bytes.length; number++) {
    list.writeUInt32LE(bytes[number] ?? 0, number * LISTED_BYTES);
    list.writeUInt32LE(hashes[number] ?? 0, number * LISTED_BYTES + 4);
  }
  return list;
}

/** The same of packets that were copied. */
export function listOfCopied(copied: readonly PacketHash[]): Buffer {
  return listOf({ bytes: copied.map(({ bytes }) => bytes), hashes: copied.map(({ hash }) => hash) });
}

/**
 * Whether packets are those of the file, one after the other, and enough of them.
 * @param list of the file from the packet on at which the copy may begin
 * @param wanted numbers in `list` of the packet with which the copy must have begun, and behind the last that it must hold
 */
export function isRunOf(list: Buffer, copied: readonly PacketHash[], wanted: Wanted): boolean {
  const hashAt = (at: number): number => list.readUInt32LE(at + 4);
  return runOf(list, copied, wanted, (at, { hash }) => hashAt(at) === hash) !== undefined;
}

/** The same by the packets' sizes alone; returns the number in `list` of the first one. */
export function runBySizes(list: Buffer, copied: readonly PacketHash[], wanted: Wanted): number | undefined {
  return runOf(list, copied, wanted, () => true);
}

function runOf(
  list: Buffer,
  copied: readonly PacketHash[],
  wanted: Wanted,
  isSame: (at: number, packet: PacketHash) => boolean,
): number | undefined {
  const isAt = (from: number): boolean =>
    copied.every((packet, place) => {
      const at = (from + place) * LISTED_BYTES;
      return at + LISTED_BYTES <= list.length && list.readUInt32LE(at) === packet.bytes && isSame(at, packet);
    });
  for (let from = wanted.first; from >= 0; from--) if (from + copied.length >= wanted.end && isAt(from)) return from;
  return undefined;
}
