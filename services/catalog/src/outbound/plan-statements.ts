/** The statements of a plan's transaction: the row, its stages, and one for everything else. */
import { outboxFragment, type Outgoing } from '@vds/chassis/database/outbox';
import type { Executor } from '@vds/chassis/database/database';
import type { Effect } from '../domain/commands.ts';
import type { Plan } from '../domain/plan.ts';
import type { Purge } from '../domain/purges.ts';
import { isOpen, stages as stageList, type StageStatus } from '../domain/stages.ts';
import { usageOf } from '../domain/usage.ts';
import { after, type Video } from '../domain/video.ts';
import { auditFragment, type AuditRow } from './audit-rows.ts';
import type { PurgeRequest } from './publisher.ts';
import { videoColumns } from './snapshots.ts';
import { monthFragment, usageFragment } from './usage.ts';

export type PlanTimes = { readonly now: Date; readonly republishFirstMs: number };
export type RequestedPurge = Purge & PurgeRequest;
type Decided = PlanTimes & {
  readonly plan: Plan;
  /** The stages that the plan was made from. */
  readonly stages: readonly StageStatus[];
};

/** Columns that no decision changes. */
const fixed: ReadonlySet<string> = new Set(['id', 'publisherId', 'createdAt', 'title'] satisfies (keyof Video)[]);
const changing = Object.entries(videoColumns).filter(([name]) => !fixed.has(name));
const json: ReadonlySet<string> = new Set(['failure', 'warnings', 'captions'] satisfies (keyof Video)[]);
const updateVideoSql = `UPDATE videos SET ${changing.map(([, column], n) => `${column} = $${n + 3}`).join(', ')}
  WHERE id = $1 AND version = $2`;

/** @returns false when the version is another one by now */
export async function updateVideo(client: Executor, { before, video }: Plan): Promise<boolean> {
  const values = changing.map(([name]) => {
    const value = video[name as keyof Video];
    return json.has(name) && value !== null ? JSON.stringify(value) : value;
  });
  const query = { name: 'catalog-update-video', text: updateVideoSql, values: [video.id, before.version, ...values] };
  return (await client.query(query)).rowCount === 1;
}

// A stage update does not move the version of its video: the conditions keep it from being overwritten here.
const updateStagesSql = `UPDATE stages s SET state = n.state, progress = n.progress, revision = n.revision,
    inputs_revision = n."inputsRevision", requested_at = n."requestedAt", started_at = n."startedAt",
    finished_at = n."finishedAt", reached = n.reached, outputs = n.outputs,
    republished = CASE n.republishing WHEN 'begins' THEN 0 ELSE s.republished END,
    next_republish_at = CASE n.republishing WHEN 'begins' THEN $3 WHEN 'ends' THEN NULL ELSE s.next_republish_at END
  FROM jsonb_to_recordset($2) AS n (stage text, attempt int, state text, progress int, revision int,
    "inputsRevision" int, "requestedAt" timestamptz, "startedAt" timestamptz, "finishedAt" timestamptz, reached text[],
    outputs jsonb, republishing text, was jsonb)
  WHERE s.video_id = $1 AND s.attempt = n.attempt AND s.stage = n.stage AND s.state = n.was ->> 'state'
    AND s.progress = (n.was -> 'progress')::int AND s.revision = (n.was -> 'revision')::int`;

/** @returns false when one of the stages has changed since the plan was made */
export async function updateStages(client: Executor, decided: Decided): Promise<boolean> {
  const { plan, stages, now, republishFirstMs } = decided;
  const changed = plan.stages.filter((status) => !stages.includes(status));
  if (changed.length === 0) return true;
  const rows = changed.map((status) => {
    const before = stages.find(({ stage, attempt }) => stage === status.stage && attempt === status.attempt);
    const { state, progress, revision } = before ?? status;
    return { ...status, republishing: republishingOf(plan, status), was: { state, progress, revision } };
  });
  const values = [plan.video.id, JSON.stringify(rows), after(now, republishFirstMs)];
  const { rowCount } = await client.query({ name: 'catalog-update-stages', text: updateStagesSql, values });
  return rowCount === changed.length;
}

function republishingOf({ video, requests }: Plan, status: StageStatus): 'begins' | 'ends' | 'unchanged' {
  const { stage, attempt } = status;
  if (attempt === video.attempt && requests.some((request) => request.stage === stage)) return 'begins';
  return isOpen(status) ? 'unchanged' : 'ends';
}

/** Ends the republishing that the plan stops, then inserts the stages that it requests for the first time. */
export async function openStages(client: Executor, { plan, now, republishFirstMs }: Decided): Promise<void> {
  const { id, attempt } = plan.video;
  if (has(plan, 'stop-republishing')) {
    const text = 'UPDATE stages SET next_republish_at = NULL WHERE video_id = $1 AND next_republish_at IS NOT NULL';
    await client.query({ name: 'catalog-stop-republishing', text, values: [id] });
  }
  const first = plan.requests.filter(({ revision }) => revision === 0);
  if (first.length === 0) return;
  const owners = new Map(stageList.map((stage) => [stage.name, stage.owner]));
  await client.query({
    name: 'catalog-open-stages',
    text: `INSERT INTO stages (video_id, attempt, requested_at, next_republish_at, stage, owner, inputs_revision)
      SELECT $1, $2, $3, $4, * FROM unnest($5::text[], $6::text[], $7::int[])`,
    values: [
      ...[id, attempt, now, after(now, republishFirstMs)],
      first.map(({ stage }) => stage),
      first.map(({ stage }) => owners.get(stage) ?? ''),
      first.map(({ inputsRevision }) => inputsRevision),
    ],
  });
}

type Rest = { readonly purges: readonly RequestedPurge[]; readonly audit: AuditRow | undefined };

/** Clip, ledger, usage, audit and messages: independent of each other, so one statement. */
export async function writeRest(
  client: Executor,
  decided: Decided,
  { purges, audit }: Rest,
  messages: readonly Outgoing[],
): Promise<void> {
  const { plan, stages } = decided;
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const usage = usageOf({ video: plan.before, stages }, plan);
  const isUsed = Object.values(usage).some((value) => value !== 0);
  // Each name stands for one text: a prepared statement has the names of its parts.
  const parts = Object.entries({
    clip: has(plan, 'publish-clip') && publishClipFragment(plan, bind),
    withdrawn: !has(plan, 'publish-clip') && has(plan, 'withdraw-clip') && withdrawClipFragment(plan, bind),
    dropped: has(plan, 'drop-purges') && dropPurgesFragment(plan, purges, bind),
    purges: purges.length > 0 && purgesFragment(decided, purges, bind),
    usage: isUsed && usageFragment(plan.video.publisherId, usage, bind),
    month: isUsed && monthFragment(usage, bind),
    audit: audit && auditFragment(audit, bind),
  }).filter((part): part is [string, string] => typeof part[1] === 'string');
  const ctes = parts.map(([name, sql]) => `${name} AS (${sql})`).join(',\n');
  const text = `${ctes && `WITH ${ctes}\n`}${outboxFragment(messages, values)}`;
  const name = ['catalog-rest', ...parts.map(([part]) => part), messages.length].join('-');
  await client.query({ name, text, values });
}

type Bind = (value: unknown) => string;

function has({ effects }: Plan, type: Effect['type']): boolean {
  return effects.some((effect) => effect.type === type);
}

const clipColumns = [
  'publisher_id',
  'title',
  'summary',
  'tags',
  'sport',
  'category',
  'language_code',
  'playback_id',
  'thumbnail_url',
  'published_at',
];

function publishClipFragment({ video }: Plan, bind: Bind): string {
  return `INSERT INTO clips (video_id, duration_ms, ${clipColumns.join(', ')})
    SELECT id, COALESCE(duration_ms, 0), ${clipColumns.join(', ')} FROM videos WHERE id = ${bind(video.id)}
    ON CONFLICT (video_id) DO UPDATE SET duration_ms = excluded.duration_ms,
      ${clipColumns.map((column) => `${column} = excluded.${column}`).join(', ')}`;
}

function withdrawClipFragment({ video }: Plan, bind: Bind): string {
  return `DELETE FROM clips WHERE video_id = ${bind(video.id)}`;
}

/** Without those that the plan requests again: a statement changes a row once. */
function dropPurgesFragment({ video }: Plan, purges: readonly RequestedPurge[], bind: Bind): string {
  const kept = purges.flatMap(({ owners, scope }) => owners.map((owner) => `${owner} ${scope}`));
  return `DELETE FROM purges WHERE video_id = ${bind(video.id)} AND owner || ' ' || scope <> ALL (${bind(kept)}::text[])`;
}

/** A later request of the same purge replaces the earlier one, whose confirmation then no longer counts. */
function purgesFragment({ plan, now, republishFirstMs }: Decided, purges: readonly RequestedPurge[], bind: Bind) {
  const rows = new Map(
    purges.flatMap(({ owners, scope, keepAttempt, requestId, at }) =>
      owners.map((owner) => {
        const nextRepublishAt = at > now ? at : after(now, republishFirstMs);
        return [`${owner} ${scope}`, { owner, scope, keepAttempt, requestId, dueAt: at, nextRepublishAt }] as const;
      }),
    ),
  );
  return `INSERT INTO purges (video_id, owner, scope, keep_attempt, request_id, due_at, next_republish_at)
    SELECT ${bind(plan.video.id)}, * FROM jsonb_to_recordset(${bind(JSON.stringify([...rows.values()]))}) AS n (owner text,
      scope text, "keepAttempt" int, "requestId" text, "dueAt" timestamptz, "nextRepublishAt" timestamptz)
    ON CONFLICT (video_id, owner, scope) DO UPDATE SET keep_attempt = excluded.keep_attempt,
      request_id = excluded.request_id, due_at = excluded.due_at, next_republish_at = excluded.next_republish_at,
      republished = 0, confirmed_at = NULL`;
}
