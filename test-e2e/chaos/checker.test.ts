/** The checker accepts every history that a correct service can have, and finds each planted fault. */
import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '@vds/testkit/counts';
import { afterReply, expected, type Command, type Possible } from '../fixtures/video-model.ts';
import { randomOf, type Random } from '@vds/testkit/random';
import { repeatedTries } from '../probes/leftovers.ts';
import type { FinalVideo } from '../harness/judge/final-video.ts';
import { checkRun, possibleStates, type Final } from './checker.ts';
import { contradictionIn } from './clients.ts';
import type { Call, Entry } from './history.ts';

const commands: readonly Command[] = ['read', 'archive', 'republish', 'delete'];
const good: FinalVideo = {
  ...{ id: 'v', title: 'Clip', status: 'ready', tracks: ['ready', 'skipped'], playback: 'plays' },
  ...{ version: 7, documents: [7], remains: [] },
};
const final: Final = {
  ...{ videos: [good], budgets: [{ charged: 1, videos: 1 }] },
  ...{ orphans: [], repeated: [], unfinished: [], deadLetters: [], ambiguous: [], outdated: [], views: [] },
};
const submitted = call('submit', '202 processing', { source: 'good', title: 'Clip' });
const unanswered = call('submit', null, { source: 'good', title: 'Other' });
delete (unanswered as { video?: string }).video;

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

const archived = { status: 'archived', playback: 'closed', documents: [] };
const deleted = { status: 'deleted', tracks: [], playback: 'closed', documents: [] };
/** Besides the acknowledged one. */
function alsoMade(video: Partial<FinalVideo>): Final {
  return { ...final, videos: [good, { ...good, id: 'w', title: 'Other', ...video }] };
}

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
  it('the checker accepts every history of a correct service, with lost replies and late effects', () => {
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
    'a deleted video that reappears': [
      'every reply fits the replies before it',
      calls(['read', '200 ready'], ['delete', '200 deleted'], ['read', '200 ready']),
      ended({}),
    ],
    'a video that never ends': [
      'a video ends as the acknowledged operations demand',
      [submitted],
      ended({ status: 'processing', tracks: [], playback: 'closed', documents: [] }),
    ],
    'a good source that failed': [
      'a video ends as the acknowledged operations demand',
      calls(['read', '200 failed']),
      ended({ status: 'failed', failure: 'internal_error', tracks: [], playback: 'closed', documents: [] }),
    ],
    'a good source that failed, of a submission whose reply was lost': [
      'a video ends as the acknowledged operations demand',
      [submitted, unanswered],
      alsoMade({ status: 'failed', failure: 'internal_error', tracks: [], playback: 'closed', documents: [] }),
    ],
    'a submission whose reply was lost, and whose video does not play': [
      'a ready video plays',
      [submitted, unanswered],
      alsoMade({ playback: '404 for seg-1.m4s' }),
    ],
    'a bad source that became ready': [
      'a video ends as the acknowledged operations demand',
      [{ ...submitted, source: 'missing' }, call('read', '200 ready')],
      final,
    ],
    'a valid submission that was rejected': [
      'every reply fits the replies before it',
      [submitted, { ...unanswered, reply: '401 invalid_credentials' }],
      final,
    ],
    'a view that is counted twice': [
      'no view is counted twice',
      [submitted],
      ended({}, { views: [{ view: 'x', events: 2, plays: 1 }] }),
    ],
    'a stored view that is gone': [
      'no stored view vanishes',
      [submitted, { kind: 'stored', atMs: 1, views: ['x'] }],
      ended({}),
    ],
    'a rerun of captions that catalog has not heard of': [
      'catalog and captions agree on every revision',
      [submitted],
      ended({}, { outdated: ['v'] }),
    ],
    'a service that accepts nothing': ['videos are accepted', [unanswered], ended({}, { videos: [], budgets: [] })],
    'a caption track that is never made': [
      'every caption track is made or skipped',
      [submitted],
      ended({ tracks: ['ready', 'processing'] }),
    ],
    'a caption track that failed': [
      'every caption track is made or skipped',
      [submitted],
      ended({ tracks: ['failed'] }),
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
      ended({ documents: [] }),
    ],
    'an archived video that is in the index': [
      'the index has exactly the ready videos',
      calls(['archive', '202 archive_queued']),
      ended({ ...archived, documents: [7] }),
    ],
    'an index that has missed a change': ['the index has the newest version', [submitted], ended({ documents: [6] })],
    'an object of a deleted video': [
      'nothing is left of a deleted video',
      calls(['delete', '202 processing']),
      ended({ ...deleted, remains: ['media videos/v/1/x'] }),
    ],
    'a deleted video that still plays': [
      'nobody watches a video that was taken down',
      [
        ...calls(['read', '200 ready'], ['delete', '200 deleted']),
        call('watch', '200', { fromMs: 60_000, toMs: 60_100 }),
      ],
      ended(deleted),
    ],
    'a video deleted in processing that plays': [
      'nobody watches a video that was taken down',
      [...calls(['delete', '202 processing']), call('watch', '200', { fromMs: 60_000, toMs: 60_100 })],
      ended(deleted),
    ],
    'an archived video that still plays': [
      'nobody watches a video that was taken down',
      [
        ...calls(['read', '200 ready'], ['republish', '200 public'], ['archive', '200 archived']),
        call('watch', '200', { fromMs: 60_000, toMs: 60_100 }),
      ],
      ended(archived),
    ],
    'a second charge': [
      'every accepted video is charged once',
      [submitted],
      ended({}, { budgets: [{ charged: 2, videos: 1 }] }),
    ],
    'a second charge of one partner, and none of another': [
      'every accepted video is charged once',
      [submitted],
      ended({}, { budgets: [2, 0].map((charged) => ({ charged, videos: 1 })) }),
    ],
    'a video that was made twice': [
      'no video is made twice',
      [submitted],
      ended({}, { videos: [good, { ...good, id: 'w' }] }),
    ],
    'a video that nobody submitted': [
      'every video was submitted',
      [submitted],
      ended({}, { videos: [good, { ...good, id: 'w', title: 'Foreign' }] }),
    ],
    'an orphan': ['every object belongs to a video', [submitted], ended({}, { orphans: ['videos/gone/1/x'] })],
    'the objects of a lost try': [
      'of each job the objects of one try are kept',
      [submitted],
      ended({}, { repeated: ['media/videos/v/1/audio.1-aa', 'media/videos/v/1/audio.2-bb'] }),
    ],
    'a dead letter': ['no message is given up', [submitted], ended({}, { deadLetters: ['DEAD_CATALOG x: 1'] })],
    'two outcomes': [
      'every request to a stage has one outcome',
      [submitted],
      ended({}, { ambiguous: ['v encode 1 0'] }),
    ],
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
    it(`the checker finds ${fault}`, () => {
      const found = checkRun(history, end);
      expect(found.map((one) => one.rule)).to.include(rule);
    });
  }

  it('the checker accepts a source that cannot be fetched only as failed', () => {
    const history = [{ ...submitted, source: 'missing' as const }];
    const failed = { status: 'failed', failure: 'source_not_found', tracks: [], playback: 'closed', documents: [] };
    expect(checkRun(history, ended(failed))).to.deep.equal([]);
    expect(checkRun(history, ended({}))).to.have.length(1);
  });

  it('the checker accepts a submission whose reply was lost with and without its video, and a gate that a republish opens', () => {
    expect(checkRun([submitted, unanswered], final)).to.deep.equal([]);
    expect(checkRun([submitted, unanswered], alsoMade({}))).to.deep.equal([]);
    const opened = calls(['read', '200 ready'], ['archive', '200 archived'], ['republish', '200 public']);
    const watched = call('watch', '200', { fromMs: 60_000, toMs: 60_100 });
    expect(checkRun([...opened, watched], final)).to.deep.equal([]);
  });

  it('a lost command may take effect until the next call, however late that is', () => {
    const late = calls(['read', '200 ready'], ['archive', null], ['republish', '200 public']);
    const read = call('read', '200 archived', { fromMs: 3_600_000, toMs: 3_600_100 });
    expect(checkRun([...late, read], ended(archived))).to.deep.equal([]);
  });

  it('a lost reply leaves both outcomes possible, and a later reply decides', () => {
    const lost = calls(['read', '200 ready'], ['archive', null]);
    expect(possibleStates(lost.filter((entry) => entry.kind === 'call')).states).to.have.members(['ready', 'archived']);
    const seen = calls(['read', '200 ready'], ['delete', null], ['read', '200 deleted']);
    expect(possibleStates(seen.filter((entry) => entry.kind === 'call')).states).to.deep.equal(['deleted']);
  });
});

describe('a record that a client reads', () => {
  const record = {
    ...{ id: 'vid_v', status: 'ready', is_available: true, title: 'Clip', summary: null, tags: [] },
    ...{ created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:01:00.000Z', thumbnail_url: null },
    playback: { playback_id: 'p', hls_url: 'https://x/p.m3u8', thumbnail_url: 'https://x/p.jpg' },
  } as unknown as Parameters<typeof contradictionIn>[0];
  const found = (more: object, updatedAt?: string) =>
    contradictionIn({ ...record, ...more }, { title: 'Clip', ...(updatedAt && { updatedAt }) });

  it('a record may be read again, and is found to contradict itself, the submission or an earlier one', () => {
    expect(found({}, '2026-01-01T00:01:00.000Z')).to.equal(undefined);
    expect(found({ status: 'archived', is_available: false, playback: null })).to.equal(undefined);
    expect(found({ title: 'Other' })).to.contain('the title');
    expect(found({ is_available: false })).to.contain('is_available');
    expect(found({ playback: null })).to.contain('no stream');
    expect(found({ status: 'archived', is_available: false })).to.contain('a stream');
    expect(found({}, '2026-01-01T00:02:00.000Z')).to.contain('went back');
  });
});

describe('the objects of tries', () => {
  it('folders of two tries of one job are found, in each bucket and attempt by itself', () => {
    const [won, lost] = ['videos/v/1/piece-0.2-aa', 'videos/v/1/piece-0.1-bb'];
    const others = ['videos/v/1/audio.1-cc/a', 'videos/v/2/piece-0.1-dd/a', 'videos/w/1/piece-0.1-ee/a'];
    const none = new Map([
      ['media', [`${won}/a`, `${won}/b`, ...others]],
      ['captions', ['videos/v/1/piece-0.1-ff/a']],
    ]);
    expect(repeatedTries(none)).to.deep.equal([]);
    expect(repeatedTries(new Map([['media', [`${won}/a`, `${lost}/a`, ...others]]]))).to.deep.equal([
      `media/${won}`,
      `media/${lost}`,
    ]);
  });
});
