/** Which results of a plan stay when it is replaced by another one. */
import { isDeepStrictEqual } from 'node:util';
import { thumbnailPiece } from './stills.ts';
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

/** What decides the result of a job, as the rows hold it: without what is undefined. */
function made(plan: EncodePlan, job: { readonly kind: string; readonly index?: number }): unknown {
  const { packetsKey: _key, warnings: _warnings, pieces, headers, storyboard, ...all } = plan;
  const { probe, timeline } = all;
  const decisions =
    job.kind === 'piece'
      ? { ...all, storyboard, piece: pieces[job.index ?? -1], poster: thumbnailPiece(pieces) }
      : job.kind === 'cut'
        ? { pieces, headers }
        : { probe, timeline };
  return JSON.parse(JSON.stringify({ kind: job.kind, ...decisions }));
}
