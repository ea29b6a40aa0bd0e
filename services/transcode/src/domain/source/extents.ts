/**
 * Whether a container's structure lies completely inside the file. A demuxer trusts the header of a truncated file;
 * here the header's sizes are compared with the file's. Only headers are read: a few bytes per box or cluster. What
 * follows the film is ignored where everything that the container lists lies in the file.
 */
import type { Walk } from './walk.ts';

/** A box, segment or cluster reaches beyond the end of the file, garbage lies between them, or the index is missing. */
export type Fault = {
  /** What is missing or cut, for our log. */
  readonly fault: string;
  /** Byte at which the truncated element would end, or at which the structure breaks off. */
  readonly endsAt?: number;
  readonly damagedAt?: number;
  /** Whether another recording starts there, with its own times. */
  readonly appended?: boolean;
};

export type Extents = Partial<Fault> & {
  /** False where there is a fault. */
  readonly whole: boolean;
  readonly encrypted: boolean;
  /** Whether packets are stored compressed or without their first bytes (Matroska's content encodings). */
  readonly encoded?: boolean;
  /** Whether the file's structure does not declare its end, as in a live recording. */
  readonly endless?: boolean;
  /** Whether bytes follow that belong to no box or element. */
  readonly trailing?: boolean;
  /** Numbers of the tracks that only accompany another one, such as depth and gain maps (mp4). */
  readonly auxiliary?: readonly number[];
};

export type ExtentsWalk = Walk<Extents>;
/** What is wrong, or that bytes follow the film; undefined if the file ends with it. */
export type EndWalk = Walk<Fault | 'trailing' | undefined>;

/** More boxes or elements than many hours of video have. */
export const MAX_STEPS = 20_000_000;

export function extentsOf(end: Fault | 'trailing' | undefined) {
  if (end === undefined) return { whole: true };
  return end === 'trailing' ? { whole: true, trailing: true } : { whole: false, ...end };
}

export function damaged(at: number): Fault {
  return { fault: `no element where one must be, at byte ${at}`, damagedAt: at };
}

export function another(at: number): Fault {
  return { fault: `another recording begins at byte ${at}`, damagedAt: at, appended: true };
}
