/** `ladder.json`, validated before its values go into playlists. */
import { AppError } from '@vds/chassis/errors';
import { shortestTag } from './language-tag.ts';
import { isServable } from './media-path.ts';

export type Rung = {
  readonly width: number;
  readonly height: number;
  readonly frameRate: number;
  /** Bits per second of the video without audio. */
  readonly bandwidth: number;
  readonly averageBandwidth: number;
  readonly codecs: string;
  /** Relative to the attempt's prefix, like all paths here. */
  readonly playlist: string;
};
export type Audio = Pick<Rung, 'bandwidth' | 'averageBandwidth' | 'codecs' | 'playlist'> & {
  readonly channels: number;
  /** BCP 47; undefined where the source has none. */
  readonly language: string | undefined;
};
export type Ladder = {
  readonly videoId: string;
  readonly rungs: readonly Rung[];
  readonly audio: Audio | undefined;
  readonly storyboardTrack: string;
};

type Node = Readonly<Record<string, unknown>>;

/**
 * Checks a parsed `ladder.json`.
 * @throws INTERNAL that names the first invalid field
 */
export function readLadder(value: unknown): Ladder {
  const root = nodeAt({ root: value }, 'root');
  if (root['version'] !== 1) throw fault('version');
  const rungs = root['rungs'];
  if (!Array.isArray(rungs) || rungs.length === 0) throw fault('rungs');
  const audio = root['audio'] === null ? undefined : nodeAt(root, 'audio');
  return {
    videoId: textAt(root, 'video_id', /^[0-9A-Za-z]+$/),
    rungs: rungs.map((rung: unknown) => {
      const node = nodeAt({ rung }, 'rung');
      const [width, height] = [wholeAt(node, 'width'), wholeAt(node, 'height')];
      return { ...renditionOf(node), width, height, frameRate: positiveAt(node, 'frame_rate') };
    }),
    audio: audio && {
      ...renditionOf(audio),
      channels: wholeAt(audio, 'channels'),
      language: languageOf(audio['language']),
    },
    storyboardTrack: pathAt(nodeAt(root, 'storyboard'), 'track'),
  };
}

function nodeAt(node: Node, field: string): Node {
  const value = node[field];
  if (typeof value !== 'object' || value === null) throw fault(field);
  return value as Node;
}

function fault(field: string): AppError {
  return new AppError('INTERNAL', `invalid ladder.json: ${field}`);
}

function textAt(node: Node, field: string, pattern: RegExp): string {
  const value = node[field];
  if (typeof value !== 'string' || !pattern.test(value)) throw fault(field);
  return value;
}

function wholeAt(node: Node, field: string): number {
  return Math.ceil(positiveAt(node, field));
}

function renditionOf(node: Node) {
  return {
    bandwidth: wholeAt(node, 'bandwidth'),
    averageBandwidth: wholeAt(node, 'average_bandwidth'),
    codecs: textAt(node, 'codecs', /^[0-9A-Za-z.-]+(?:,[0-9A-Za-z.-]+)*$/),
    playlist: pathAt(node, 'playlist'),
  };
}

function positiveAt(node: Node, field: string): number {
  const value = node[field];
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0) throw fault(field);
  return value;
}

function languageOf(value: unknown): string | undefined {
  const tag = typeof value === 'string' ? shortestTag(value) : undefined;
  return tag === 'und' ? undefined : tag;
}

function pathAt(node: Node, field: string): string {
  const path = textAt(node, field, /./);
  if (!isServable(path)) throw fault(field);
  return path;
}
