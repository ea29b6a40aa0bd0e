/** `ladder.json` as its writer leaves it in the bucket: which renditions there are, read with care. */
import { readerOf } from './checked.ts';

export type Rung = {
  readonly width: number;
  readonly height: number;
  /** Below the attempt's prefix. */
  readonly playlist: string;
};
export type Ladder = {
  readonly durationMs: number;
  /** Largest first; never empty. */
  readonly rungs: readonly Rung[];
  /** Path of the sound's playlist below the attempt's prefix; undefined for a title without sound. */
  readonly sound: string | undefined;
};

const { fault, nodeAt, listAt, numberAt, pathAt } = readerOf('ladder.json');
const longestSide = 16_384;

/** Letters below this many lines are hard to read. */
const readableLines = 540;

/**
 * Checks a parsed `ladder.json`.
 * @throws INVALID_ARGUMENT that names the first field that is not as it should be
 */
export function readLadder(value: unknown): Ladder {
  const root = nodeAt({ root: value }, 'root');
  if (root['version'] !== 1) throw fault('version');
  const rungs = listAt(root, 'rungs', 32).map((entry) => {
    const node = nodeAt({ rung: entry }, 'rung');
    return { width: sideAt(node, 'width'), height: sideAt(node, 'height'), playlist: pathAt(node, 'playlist') };
  });
  if (rungs.length === 0) throw fault('rungs');
  const sound = root['audio'] === null ? undefined : pathAt(nodeAt(root, 'audio'), 'playlist');
  return { durationMs: Math.round(numberAt(root, 'duration_ms', 1)), rungs, sound };
}

function sideAt(node: Parameters<typeof numberAt>[0], field: string): number {
  const side = numberAt(node, field, 2);
  if (!Number.isInteger(side) || side > longestSide) throw fault(field);
  return side;
}

/** The rung that is looked at picture by picture: the smallest. */
export function smallestRung({ rungs }: Ladder): Rung {
  return rungs.reduce((least, rung) => (shortSide(rung) < shortSide(least) ? rung : least));
}

function shortSide({ width, height }: Rung): number {
  return Math.min(width, height);
}

/** The rung that text is read from: the smallest that is large enough, else the largest. */
export function readingRung({ rungs }: Ladder): Rung {
  const bySize = [...rungs].sort((a, b) => shortSide(a) - shortSide(b));
  const largest = bySize.at(-1);
  if (!largest) throw fault('rungs');
  return bySize.find((rung) => shortSide(rung) >= readableLines) ?? largest;
}
