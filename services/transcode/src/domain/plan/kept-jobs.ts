/** Which results of a plan stay when it is replaced by another one. */
import { isDeepStrictEqual } from 'node:util';
import type { EncodePlan } from './encode-plan.ts';
import { allJobs } from './encode-jobs.ts';

/**
 * Names of the jobs of which both plans make the same: each piece by itself, and everything that concerns all of them.
 * Where packets were listed, and what partners are warned of, makes no difference.
 */
export function keptJobs(before: EncodePlan, after: EncodePlan): ReadonlySet<string> {
  const known = new Map(allJobs(before).map(({ name, payload }) => [name, made(before, payload)]));
  const kept = allJobs(after).filter(({ name, payload }) => isDeepStrictEqual(known.get(name), made(after, payload)));
  return new Set(kept.map(({ name }) => name));
}

/** What decides the results of each kind of job. */
const decisions: Readonly<Record<string, (plan: EncodePlan, index: number) => object>> = {
  sound: (plan, index) => ({ chunks: madeOfSound(plan, index) }),
  audio: (plan) => ({ chunks: plan.sound.map((_chunk, at) => madeOfSound(plan, at)) }),
  alternate: madeOfAlternate,
  texts: madeOfTexts,
  original: ({ probe, timeline: { zero, end }, original }) => ({
    demuxer: probe.demuxer,
    video: probe.video,
    original,
    zero,
    end,
  }),
  cut: ({ pieces, headers }) => ({ pieces, headers }),
  piece: madeOfPiece,
};

/** As the rows hold it: without what is undefined. */
function made(plan: EncodePlan, { kind, ...job }: { readonly kind: string; readonly index?: number }): unknown {
  return JSON.parse(JSON.stringify({ kind, ...decisions[kind]?.(plan, job.index ?? -1) }));
}

/** How much of it is expected only serves to show that something is missing. */
function madeOfSound({ probe, timeline: { zero, end }, sound }: EncodePlan, index: number) {
  const { part, ...chunk } = sound[index] ?? {};
  const { length: _length, ...read } = part ?? {};
  const { declaredDuration: _declared, ...audio } = probe.audio ?? {};
  return { demuxer: probe.demuxer, audio, zero, ...chunk, read, ...(index === sound.length - 1 && { end }) };
}

function madeOfTexts({ probe, timeline: { zero, end } }: EncodePlan) {
  return { demuxer: probe.demuxer, texts: probe.texts, closedCaptions: probe.video.closedCaptions, zero, end };
}

function madeOfAlternate({ probe, timeline: { zero, end } }: EncodePlan, index: number) {
  const { declaredDuration: _declared, ...audio } = probe.alternates?.[index] ?? {};
  return { demuxer: probe.demuxer, audio, zero, end };
}

/** What concerns all pieces, and the one. What the source declares about its length, and where its pictures end, concerns the last one alone. */
function madeOfPiece({ probe, timeline, poster, pieces, ...plan }: EncodePlan, index: number) {
  const { rungs, copiesTop, storyboard, bFrames, shift } = plan;
  const { zero, first, stored, last, end, margin, frameRate, thinned } = timeline;
  const { bytes, ...piece } = pieces[index] ?? {};
  const { declaredDuration: _declared, ...video } = probe.video;
  const isLast = index === pieces.length - 1;
  return {
    ...{ demuxer: probe.demuxer, video, rungs, copiesTop, storyboard, bFrames, shift, piece },
    // The packets of one that is read in parts are compared with the complete source's.
    isAlone: bytes !== undefined,
    ...{ zero, first, stored, margin, frameRate, thinned, isPoster: index === poster, isOnly: pieces.length === 1 },
    ...(isLast && { last, end }),
  };
}
