/**
 * What an edge is told: how long it may let a viewer in without asking again, and how long it may keep a response. The
 * edge keeps the gate's promises by these times alone (deploy/edge/nginx.conf): archived within five minutes, deleted
 * within 60 s.
 */
import type { Excerpt } from './excerpt.ts';
import type { Gate } from './gate.ts';

/** In whole seconds. */
export type Validity = {
  /** Until the edge asks again. */
  readonly fresh: number;
  /** Beyond `fresh`, while playback does not answer. */
  readonly stale: number;
};

const FRESH_SECONDS = 15;
/** A deleted video is closed within this time, also where playback has no chance to say so. */
const MAX_SECONDS = 60;
/** As long as playback uses a gate while catalog is away: an edge does not prolong it. */
const MAX_AGE_SECONDS = 300;

/**
 * How long an open gate's answer holds: never beyond the token's expiry or the gate's closing.
 * @param tokenLeftMs milliseconds until the token expires
 * @param gateLeftMs milliseconds until the gate closes; undefined where it does not
 * @param ageMs how long ago the gate was catalog's answer, in milliseconds
 */
export function validityOf(tokenLeftMs: number, gateLeftMs: number | undefined, ageMs: number): Validity {
  const leftMs = Math.max(0, Math.min(tokenLeftMs, gateLeftMs ?? Infinity, MAX_AGE_SECONDS * 1_000 - ageMs));
  const left = Math.min(MAX_SECONDS, Math.floor(leftMs / 1_000));
  const fresh = Math.min(FRESH_SECONDS, left);
  return { fresh, stale: left - fresh };
}

const KEPT_SECONDS: Readonly<Record<string, number>> = { master: 10, captions: 15, thumbnail: 15 };
const KEPT_FILE_SECONDS = 86_400;

/**
 * What a token opens, as the edge's key of its cache: the attempt, or an excerpt of it, which nothing of the whole video
 * may be served for, nor the reverse. No path of a request begins with `@`.
 */
export function mediaOf(prefix: string, excerpt: Excerpt | undefined): string {
  return excerpt ? `${prefix}@${excerpt.startMs}-${excerpt.endMs}/` : prefix;
}

/**
 * How long an edge may keep a response, in seconds.
 * @param media what the token opens (`mediaOf`)
 * @param edgeMedia that which the edge takes the response for; undefined: whoever asks is no edge
 * @returns undefined for nobody's business, 0 where this replica's gate is of another attempt than the edge's
 */
export function keptSeconds(kind: string, media: string, edgeMedia: string | undefined): number | undefined {
  if (edgeMedia === undefined) return undefined;
  if (kind !== 'thumbnail' && edgeMedia !== media) return 0;
  return KEPT_SECONDS[kind] ?? KEPT_FILE_SECONDS;
}

/** The gate's remaining time, in milliseconds, for the bearer of a token; undefined: open until further notice. */
export function gateLeftMs(gate: Pick<Gate, 'gateClosesInMs'>, ageMs: number): number | undefined {
  return gate.gateClosesInMs === undefined ? undefined : gate.gateClosesInMs - ageMs;
}
