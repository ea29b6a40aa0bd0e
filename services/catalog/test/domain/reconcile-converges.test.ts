/** Repairs converge, whatever catalog and the owners of the stages have lost. */
import { expect } from 'chai';
import fc from 'fast-check';
import type { Plan } from '../../src/domain/plan.ts';
import { compareVideo, decideRepair, type Finding, type Known, type OwnerReport } from '../../src/domain/reconcile.ts';
import { decideStageEvent, type StageEvent } from '../../src/domain/stage-events.ts';
import { stageOwners } from '@vds/proto/stages';
import { isOpen, stages as list, type StageRequest } from '../../src/domain/stages.ts';
import { captionsAt, contextAt, later } from './fixtures.ts';
import { applied, play, sequence } from './play.ts';

type Row = { revision: number; state: 'open' | 'completed' | 'failed' | 'cancelled' };
type World = { known: Known; rows: Map<string, Row>; tracks: number; index: { version: number; live: boolean } };

const attempts = [1, 2, 3];
const ROUNDS = 15;
const MINUTE = 60_000;

/** A stage that blocks has one request in each attempt. */
function row(blocksReady: boolean) {
  return fc.option(
    fc.record({
      revision: blocksReady ? fc.constant(0) : fc.nat(3),
      state: fc.constantFrom('open' as const, 'completed' as const, 'failed' as const, 'cancelled' as const),
    }),
  );
}
const keys = list.flatMap(({ name, blocksReady }) =>
  attempts.map((attempt) => ({ key: `${name}/${attempt}`, blocksReady })),
);
const rowsOfOwners = fc
  .tuple(...keys.map(({ blocksReady }) => row(blocksReady)))
  .map((values) => new Map(values.flatMap((value, at) => (value ? [[keys[at]?.key ?? '', value] as const] : []))));

function reportsOf({ rows, tracks }: World): OwnerReport[] {
  return stageOwners.map((owner) => {
    const stages = [...rows].flatMap(([key, one]) => {
      const [stage = '', attempt] = key.split('/');
      const isOwn = list.some(({ name, owner: its }) => name === stage && its === owner);
      return isOwn ? [{ stage, attempt: Number(attempt), ...one }] : [];
    });
    const stateRevision = owner === 'captions' ? tracks : 0;
    return { owner, tombstoned: false, hasData: true, stages, missing: [], unreadable: [], stateRevision };
  });
}

/** As the runtime of every stage takes a request. */
function take({ rows }: World, { stage, attempt, revision }: StageRequest & { attempt: number }): void {
  const key = `${stage}/${attempt}`;
  const known = rows.get(key);
  const reopens = (known?.state === 'completed' || known?.state === 'failed') && known.revision < revision;
  if (!known || reopens) rows.set(key, { revision, state: 'open' });
}

function write(world: World, plan: Plan, now: Date): void {
  world.known = { ...world.known, ...applied(world.known, plan, now) };
  for (const effect of plan.effects)
    if (effect.type === 'purge' && effect.purge.scope === 'OTHER_ATTEMPTS')
      for (const [key] of world.rows) if (Number(key.split('/')[1]) < effect.purge.keepAttempt) world.rows.delete(key);
  for (const request of plan.requests) take(world, { ...request, attempt: plan.video.attempt });
}

function repair(world: World, found: readonly Finding[], now: Date): void {
  for (const { repair: one } of found) {
    if (!one || one.type === 'purge') continue;
    const outcome = decideRepair(world.known, one, contextAt(now));
    if (outcome.kind === 'plan') write(world, outcome, now);
  }
}

/** Requests are republished, stages open at their owner complete, and results are repeated, until nothing moves. */
function settle(world: World, now: Date): void {
  for (let moved = true; moved;) {
    moved = false;
    const { attempt, id } = world.known.video;
    for (const status of world.known.stages.filter(isOpen)) {
      take(world, status);
      const own = world.rows.get(`${status.stage}/${attempt}`);
      if (!own || own.state === 'cancelled' || own.revision !== status.revision) continue;
      if (own.state === 'open') {
        own.state = 'completed';
        if (status.stage === 'captions') world.tracks += 1;
      }
      const of = { videoId: id, attempt, revision: own.revision, stage: status.stage };
      const events: StageEvent[] = [
        own.state === 'failed'
          ? { ...of, type: 'failed', code: 'internal_error', details: {} }
          : { ...of, type: 'completed', outputs: {} },
        // Captions publishes its tracks with every result.
        ...(status.stage === 'captions'
          ? [{ ...of, type: 'tracks', captions: captionsAt(world.tracks) } as const]
          : []),
      ];
      for (const event of events) {
        const outcome = decideStageEvent(world.known, event, contextAt(now));
        if (outcome.kind !== 'plan') continue;
        write(world, outcome, now);
        moved = true;
      }
      if (moved) break;
    }
  }
  const { version, state } = world.known.video;
  if (version > world.index.version) world.index = { version, live: state === 'ready' };
}

describe('repeated repairs', () => {
  it('repairs leave nothing to find after a few rounds, whatever was lost', () => {
    fc.assert(
      fc.property(sequence({ maxLength: 15 }), rowsOfOwners, fc.nat(8), fc.nat(60), (steps, rows, tracks, version) => {
        const { after, now } = play(steps).at(-1) ?? { after: undefined, now: later(0) };
        if (!after || after.video.state === 'deleted' || after.video.intent === 'delete') return;
        const copies = new Map([...rows].map(([key, one]) => [key, { ...one }]));
        const world: World = {
          known: { ...after, now, unconfirmedPurges: [] },
          ...{ rows: copies, tracks, index: { version, live: false } },
        };
        let found: readonly Finding[] = [];
        for (let round = 1; round <= ROUNDS; round++) {
          const at = later(now.getTime() + round * 2 * MINUTE);
          world.known = { ...world.known, now: at };
          found = compareVideo(world.known, { owners: reportsOf(world), index: { found: true, ...world.index } });
          if (found.length === 0) return;
          repair(world, found, at);
          settle(world, at);
        }
        expect(found).to.deep.equal([]);
      }),
      { numRuns: 300 },
    );
  });
});
