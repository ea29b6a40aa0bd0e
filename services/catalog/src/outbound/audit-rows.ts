/** Rows of the audit: who changed what, and why. */
import type { Executor } from '@vds/chassis/database/database';
import { describeState, type Video } from '../domain/video.ts';

/** The author of a change, the action and the reason. */
export type By = {
  readonly actor: string;
  readonly action: string;
  readonly reason?: string;
  /** True: recorded even when nothing changed. */
  readonly always?: boolean;
};

export type AuditRow = {
  /** Left out: the change is to the publisher. */
  readonly videoId?: string;
  readonly publisherId: string;
  readonly at?: Date;
  readonly actor: string;
  readonly action: string;
  readonly was: string;
  readonly became: string;
  readonly reason: string;
};

/** For every change of a video's state, and for every action of the operator; undefined if there is none. */
export function auditRow(before: Video, after: Video, by: By, at: Date): AuditRow | undefined {
  const [was, became] = [describeState(before), describeState(after)];
  if (was === became && by.always !== true) return undefined;
  const { actor, action, reason = '' } = by;
  return { videoId: after.id, publisherId: after.publisherId, at, actor, action, was, became, reason };
}

export async function addAudit(client: Executor, row: AuditRow): Promise<void> {
  const values: unknown[] = [];
  await client.query({ name: 'catalog-audit', text: auditFragment(row, (value) => `$${values.push(value)}`), values });
}

/**
 * The insert as a fragment of a caller's own statement.
 * @param bind adds a value to the statement and returns its placeholder
 */
export function auditFragment(row: AuditRow, bind: (value: unknown) => string): string {
  const { videoId = null, publisherId, at = null, actor, action, was, became, reason } = row;
  const texts = [videoId, publisherId, actor, action, was, became, reason].map(bind).join(', ');
  return `INSERT INTO audit (video_id, publisher_id, actor, action, was, became, reason, at)
    VALUES (${texts}, COALESCE(${bind(at)}, CURRENT_TIMESTAMP))`;
}
