/** The units of a stage: a look at each span that was not looked at in this attempt, and the writing of the document. */
import type { PoolClient } from '@vds/chassis/database/database';
import { unitAt, type StageRequest, type StageKey } from '@vds/chassis/stage/stages';
import { enqueue, type NewWork } from '@vds/chassis/work/work';
import { spanCount } from '../domain/span.ts';
import type { Request } from '../domain/request.ts';
import { analyzedSpans } from '../outbound/analyses.ts';

export type AnalysisPayload = { readonly revision: number; readonly span: number };

/** What an asking begins with: where all was looked at before, only the document is written anew. */
export async function beginUnits(client: PoolClient, asked: StageRequest<Request>): Promise<void> {
  const { durationMs } = asked.request;
  const missing = await missingSpans(client, asked, durationMs);
  const looks = missing.map((span) => ({
    ...common(asked),
    queue: 'look',
    unit: unitAt(`look-${span}`, asked.revision),
    cost: durationMs / 1_000,
    payload: { revision: asked.revision, span } satisfies AnalysisPayload,
  }));
  await enqueue(client, looks.length > 0 ? looks : [writeUnit(asked)]);
}

/** Spans that were not looked at yet. */
export async function missingSpans(client: PoolClient, key: StageKey, durationMs: number): Promise<number[]> {
  const found = await analyzedSpans(client, key);
  return Array.from({ length: spanCount(durationMs) }, (_span, index) => index).filter((index) => !found.has(index));
}

function common({ groupKey, attempt, tenant }: StageRequest<Request>) {
  return { groupKey, attempt, tenant };
}

export function writeUnit(asked: StageRequest<Request>): NewWork {
  return {
    ...common(asked),
    queue: 'write',
    unit: unitAt('write', asked.revision),
    payload: { revision: asked.revision },
  };
}
