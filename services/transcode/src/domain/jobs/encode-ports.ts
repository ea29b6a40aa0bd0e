/** Ports of the jobs of an encode. */
import type { PieceBytes } from '../plan/piece-bytes.ts';
import type { ByteRange } from '../source/source-index.ts';

export type EncodePorts = {
  /** The job's folder, below the attempt. */
  readonly folder: string;
  /** Fetches the piece, or the full source, into the scratch folder under this name. */
  readonly fetch: (name: string) => Promise<void>;
  /** Fetches parts of the source into a file of its size and name. */
  readonly fetchBytes: (ranges: readonly ByteRange[]) => Promise<void>;
  /** The list of the source's packets from `from` on, as far as a piece may need it. */
  readonly packets: (bytes: PieceBytes) => Promise<Buffer>;
  /** Records that a piece needed the whole source. */
  readonly readWhole: () => void;
  /** Records that the top rung is encoded although its copy was planned. */
  readonly copyRejected: () => void;
  /** Runs ffmpeg in the scratch folder; `pipes` read its output. */
  readonly ffmpeg: (args: readonly string[], pipes?: readonly Pipe[]) => Promise<void>;
  /**
   * Runs two ffmpegs at a time: the first one's standard output is the second one's standard input. Returns its number
   * of bytes; `pipes` read the other output of each.
   */
  readonly ffmpegs: (
    first: readonly string[],
    second: readonly string[],
    pipes: { readonly first: readonly Pipe[]; readonly second: readonly Pipe[] },
  ) => Promise<number>;
  /** Stores an object under a name below the job's folder. */
  readonly put: (name: string, body: Buffer, contentType: string) => Promise<void>;
  /** Stores a file of the scratch folder in the same way, and removes it from the scratch folder. */
  readonly move: (file: string, name: string) => Promise<void>;
  /** A file of the scratch folder; undefined if there is none. */
  readonly read: (name: string) => Promise<Buffer | undefined>;
  readonly progress: (percent: number) => void;
};

type Pipe = (stream: AsyncIterable<Uint8Array>) => Promise<void>;
