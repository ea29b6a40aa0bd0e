/** The checker accepts every history that a correct service can have, and finds each planted fault. */
import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '@vds/testkit/counts';
import { afterReply, expected, type Command, type Possible } from '../fixtures/video-model.ts';
import { randomOf, type Random } from '../fixtures/random.ts';
import { checkRun, possibleStates, type Final, type FinalVideo } from './checker.ts';
import { faultKinds, planFaults } from './plan-faults.ts';
import type { Call, Entry } from './history.ts';

const commands: readonly Command[] = ['read', 'archive', 'republish', 'delete'];
const good: FinalVideo = { id: 'v', status: 'ready', playback: 'plays', documents: 1, remains: [] };
const final: Final = { videos: [good], charged: 1, accepted: 1, strays: [], unfinished: [] };
const submitted = call('submit', '202 processing', { source: 'good' });

function call(operation: Call['operation'], reply: string | null, more: Partial<Call> = {}): Call {
  return { kind: 'call', client: 0, fromMs: 0, toMs: 0, video: 'v', operation, reply, ...more };
}

/** The calls of one partner on one video, each after the one before. */
function calls(...given: readonly (readonly [operation: Call['operation'], reply: string | null])[]): Entry[] {
  return [
    submitted,
    ...given.map(([operation, reply], index) =>
      call(operation, reply, { fromMs: index * 100, toMs: index * 100 + 50 }),
    ),
  ];
}

function ended(video: Partial<FinalVideo>, more: Partial<Final> = {}): Final {
  return { ...final, videos: [{ ...good, ...video }], ...more };
}

const archived = { status: 'archived', playback: 'closed', documents: 0 };
const deleted = { status: 'deleted', playback: 'closed', documents: 0 };

/** A correct service with one video: processing ends at a random moment, and replies are lost. */
function simulate(random: Random): { history: Entry[]; state: Possible } {
  let state: Possible = 'processing';
  const apply = (command: Command): string => {
    const reply = random.pick(expected([state], command));
    state = random.pick(afterReply([state], command, reply));
    return reply;
  };
  const given: (readonly [Command, string | null])[] = [];
  let late: Command | undefined;
  for (let count = random.integer(0, 12); count > 0; count--) {
    const command = random.pick(commands);
    if (random.chance(0.2)) {
      // Without a reply: before its effect, after it, or long before it.
      if (random.chance(0.4)) apply(command);
      else if (random.chance(0.5)) late = command;
      given.push([command, random.chance(0.5) ? null : '500 internal_error']);
    } else given.push([command, apply(command)]);
    if (late && random.chance(0.3)) {
      apply(late);
      late = undefined;
    }
  }
  const end: Partial<Record<Possible, Possible>> = { processing: 'ready', archiving: 'archived', deleting: 'deleted' };
  return { history: calls(...given), state: end[state] ?? state };
}

describe('the checker of histories', () => {
  it('accepts every history of a correct service, with lost replies and late effects', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const { history, state } = simulate(randomOf(seed));
        if (state === 'failed') return;
        const end = state === 'ready' ? good : state === 'archived' ? archived : deleted;
        expect(checkRun(history, ended({ ...end, status: state }))).to.deep.equal([]);
      }),
      { numRuns: runs(300) },
    );
  });

  const planted: Readonly<Record<string, readonly [rule: string, history: readonly Entry[], final: Final]>> = {
    'a lost video': ['an accepted video is never lost', [submitted], ended({}, { videos: [] })],
    'a lost archive': [
      'a video ends as the acknowledged operations demand',
      calls(['read', '200 ready'], ['archive', '200 archived']),
      ended({}),
    ],
    'a queued archive that is forgotten': [
      'a video ends as the acknowledged operations demand',
      calls(['archive', '202 archive_queued']),
      ended({}),
    ],
    'a deleted video that comes back': [
      'every reply fits the replies before it',
      calls(['read', '200 ready'], ['delete', '200 deleted'], ['read', '200 ready']),
      ended({}),
    ],
    'a video that never ends': [
      'a video ends as the acknowledged operations demand',
      [submitted],
      ended({ status: 'processing', playback: 'closed', documents: 0 }),
    ],
    'a good source that failed': [
      'a video ends as the acknowledged operations demand',
      calls(['read', '200 failed']),
      ended({ status: 'failed', failure: 'internal_error', playback: 'closed', documents: 0 }),
    ],
    'a ready video that does not play': ['a ready video plays', [submitted], ended({ playback: '404 for seg-1.m4s' })],
    'an archived video that plays': [
      'a video that is not ready does not play',
      calls(['archive', '202 archive_queued']),
      ended({ ...archived, playback: 'plays' }),
    ],
    'a ready video that is not in the index': [
      'the index has exactly the ready videos',
      [submitted],
      ended({ documents: 0 }),
    ],
    'an object of a deleted video': [
      'nothing is left of a deleted video',
      calls(['delete', '202 processing']),
      ended({ ...deleted, remains: ['media videos/v/1/x'] }),
    ],
    'a deleted video that still plays': [
      'nobody watches a deleted video',
      [
        ...calls(['read', '200 ready'], ['delete', '200 deleted']),
        call('watch', '200', { fromMs: 60_000, toMs: 60_100 }),
      ],
      ended(deleted),
    ],
    'a second charge': ['every accepted video is charged once', [submitted], ended({}, { charged: 2 })],
    'a video that was made twice': [
      'no video is lost or made twice',
      [submitted],
      ended({}, { accepted: 2, charged: 2 }),
    ],
    'an orphan': ['every object belongs to a video', [submitted], ended({}, { strays: ['videos/gone/1/x'] })],
    'a job that never ends': ['all work ends', [submitted], ended({}, { unfinished: ['transcode: 1 job is running'] })],
    'a process that crashed': [
      'no process ends by itself',
      [submitted, { kind: 'crash', atMs: 1, process: 'catalog', log: 'uncaught exception' }],
      final,
    ],
    'a process that grows': [
      'no process grows without bound',
      [submitted, ...[90, 200, 700].map((mb, atMs) => ({ kind: 'memory', atMs, process: 'catalog', mb }) as const)],
      final,
    ],
    'a response that the contract does not know': [
      'every response obeys the contract',
      [submitted, call('read', '200 ready', { problem: 'an unknown header' })],
      final,
    ],
  };

  for (const [fault, [rule, history, end]] of Object.entries(planted)) {
    it(`finds ${fault}`, () => {
      const found = checkRun(history, end);
      expect(found.map((one) => one.rule)).to.include(rule);
    });
  }

  it('accepts a source that cannot be fetched only as failed', () => {
    const history = [call('submit', '202 processing', { source: 'missing' })];
    const failed = { status: 'failed', failure: 'source_not_found', playback: 'closed', documents: 0 };
    expect(checkRun(history, ended(failed))).to.deep.equal([]);
    expect(checkRun(history, ended({}))).to.have.length(1);
  });

  it('a lost reply leaves both outcomes possible, and a later reply decides', () => {
    const lost = calls(['read', '200 ready'], ['archive', null]);
    expect(possibleStates(lost.filter((entry) => entry.kind === 'call')).states).to.have.members(['ready', 'archived']);
    const seen = calls(['read', '200 ready'], ['delete', null], ['read', '200 deleted']);
    expect(possibleStates(seen.filter((entry) => entry.kind === 'call')).states).to.deep.equal(['deleted']);
  });
});

describe('the plan of faults', () => {
  it('makes every kind once before any comes again, one after the other, and the same for the same seed', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 10_000, max: 3_600_000 }), (seed, totalMs) => {
        const planned = planFaults(seed, totalMs);
        expect(planFaults(seed, totalMs)).to.deep.equal(planned);
        planned.slice(1).forEach(({ atMs }, index) => {
          const before = planned[index];
          expect(atMs).to.be.greaterThan((before?.atMs ?? 0) + (before?.forMs ?? 0));
        });
        for (let from = 0; from < planned.length; from += faultKinds.length) {
          const round = planned.slice(from, from + faultKinds.length).map(({ kind }) => kind);
          expect(new Set(round).size).to.equal(round.length);
        }
      }),
      { numRuns: runs(100) },
    );
  });
});
