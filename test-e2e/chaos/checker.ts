/**
 * Judges a run by its history and its final state. Pure. Per video it keeps the set of states that the replies leave
 * possible; a call without a known outcome may have taken effect, now or slightly later.
 */
import type { Budget } from '../harness/judge/observe-stack.ts';
import { outcomeViolations, violation, type FinalVideo, type Violation } from '../harness/judge/final-video.ts';
import { afterReply, expected, type Command, type Possible } from '../fixtures/video-model.ts';
import { isAcknowledged, type Call, type Entry, type Memory, type Stored } from './history.ts';
import type { StoredView } from './views.ts';

export type Final = {
  /** Every video that catalog's database has or a reply has named, deleted ones included. */
  readonly videos: readonly FinalVideo[];
  /** By partner: the sum of its daily counts, and its number of videos. */
  readonly budgets: readonly Budget[];
  /** Objects that belong to no video, or to an outdated attempt. */
  readonly orphans: readonly string[];
  /** Jobs of which the objects of more than one try are kept. */
  readonly repeated: readonly string[];
  /** Work that is neither done nor waiting for a time to come. */
  readonly unfinished: readonly string[];
  readonly deadLetters: readonly string[];
  /** Requests to stages with more than one outcome. */
  readonly ambiguous: readonly string[];
  /** Videos whose caption tracks have another revision in catalog than in captions. */
  readonly outdated: readonly string[];
  /** What the warehouse has. */
  readonly views: readonly StoredView[];
};

/** Longer than any call continues in the service after its caller has given up. */
const LATE_MS = 30_000;
/** How long players may use a cached gate; the run's settings are shorter. */
const GATE_MS = 30_000;
/** A process may end with twice its initial memory, and at least this many megabytes more. */
const GROWTH_MB = 200;

/** A source that can be fetched never fails, and one that cannot never becomes ready. */
const settled: Readonly<Record<Possible, { readonly good: string; readonly missing: string }>> = {
  processing: { good: 'ready', missing: 'failed' },
  archiving: { good: 'archived', missing: 'failed' },
  deleting: { good: 'deleted', missing: 'deleted' },
  ready: { good: 'ready', missing: 'failure' },
  archived: { good: 'archived', missing: 'failure' },
  failed: { good: 'no failure', missing: 'failed' },
  deleted: { good: 'deleted', missing: 'deleted' },
};

const lists = {
  orphans: 'every object belongs to a video',
  repeated: 'of each job the objects of one try are kept',
  unfinished: 'all work ends',
  deadLetters: 'no message is given up',
  ambiguous: 'every request to a stage has one outcome',
  outdated: 'catalog and captions agree on every revision',
} as const;

/** Every violation; none for a run without faults of the service. */
export function checkRun(history: readonly Entry[], final: Final): Violation[] {
  const calls = history.filter((entry) => entry.kind === 'call');
  const submissions = calls.filter(({ operation }) => operation === 'submit');
  return [
    ...contractViolations(calls),
    ...submissions.flatMap((submission) => submissionViolations(submission, calls, final)),
    ...countViolations(submissions, final),
    ...Object.entries(lists).flatMap(([list, rule]) =>
      final[list as keyof typeof lists].map((detail) => violation(rule, '', detail)),
    ),
    ...history.flatMap((entry) =>
      entry.kind === 'crash' ? [violation('no process ends by itself', entry.process, entry.log)] : [],
    ),
    ...viewViolations(
      history.filter((entry) => entry.kind === 'stored'),
      final.views,
    ),
    ...memoryViolations(history.filter((entry) => entry.kind === 'memory')),
  ];
}

function contractViolations(calls: readonly Call[]): Violation[] {
  return calls
    .filter(({ reply, problem }) => reply !== null && problem !== undefined)
    .map(({ operation, problem = '' }) => violation('every response obeys the contract', operation, problem));
}

/** A submission whose reply was lost may have made a video; that one ends as every other. */
function submissionViolations(submission: Call, calls: readonly Call[], final: Final): Violation[] {
  const { title = '', reply } = submission;
  if (isAcknowledged(submission) && !reply?.startsWith('202')) return [illegalReply(submission)];
  const made = final.videos.filter((video) => video.title === title);
  if (made.length > 1) return [violation('no video is made twice', title, made.map(({ id }) => id).join(' '))];
  const video = submission.video ?? made[0]?.id;
  if (video === undefined) return [];
  const found = final.videos.find(({ id }) => id === video);
  if (found?.status === undefined) return [violation('an accepted video is never lost', video, 'it does not exist')];
  const own = calls.filter((call) => call.video === video);
  return [
    ...endViolations(found, own, submission.source ?? 'good'),
    ...watchViolations(own),
    ...outcomeViolations(found),
  ];
}

function endViolations(
  { id, status = '', failure = '' }: FinalVideo,
  own: readonly Call[],
  source: 'good' | 'missing',
) {
  const { states, illegal } = possibleStates(own);
  if (illegal) return [illegalReply(illegal)];
  const wanted = new Set(states.map((state) => settled[state][source]));
  if (wanted.has(status)) return [];
  const detail = `${status} ${failure}, after replies that demand ${[...wanted].join(' or ')}`;
  return [violation('a video ends as the acknowledged operations demand', id, detail)];
}

function illegalReply({ video = '', operation, reply, fromMs }: Call): Violation {
  const detail = `${operation} at ${fromMs} ms answered ${reply}`;
  return violation('every reply fits the replies before it', video, detail);
}

function watchViolations(own: readonly Call[]): Violation[] {
  const watched = own.filter(({ operation, reply }) => operation === 'watch' && reply === '200');
  return watched
    .filter((watch) => own.some((call) => closes(call, own) && call.toMs + GATE_MS < watch.fromMs))
    .slice(0, 1)
    .map(({ video = '', fromMs }) => violation('nobody watches a video that was taken down', video, `at ${fromMs} ms`));
}

/** Whether a call has closed the gate permanently: a deletion, or an archive without a later republish. */
function closes({ operation, reply, fromMs }: Call, own: readonly Call[]): boolean {
  if (!reply?.startsWith('20') || (operation !== 'delete' && operation !== 'archive')) return false;
  if (operation === 'delete') return true;
  const republished = own.filter((call) => call.operation === 'republish');
  return !republished.some((call) => call.fromMs > fromMs || (!isAcknowledged(call) && call.toMs + LATE_MS > fromMs));
}

/** The states that the replies leave possible; `illegal` is the first call that no state explains. */
export function possibleStates(calls: readonly Call[]): { states: readonly Possible[]; illegal?: Call } {
  let states: readonly Possible[] = ['processing'];
  let pending: { readonly command: Command; readonly untilMs: number }[] = [];
  for (const call of calls.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const { operation: command } = call;
    if (command === 'submit' || command === 'watch' || command === 'report' || command === 'rerun') continue;
    // What is too late now may have taken effect since the previous call.
    states = withPending(states, pending);
    pending = pending.filter(({ untilMs }) => untilMs > call.fromMs);
    if (!isAcknowledged(call)) {
      pending.push({ command, untilMs: call.toMs + LATE_MS });
      states = withPending(states, pending);
      continue;
    }
    const after = afterReply(withPending(states, pending), command, call.reply ?? '');
    if (after.length === 0) return { states, illegal: call };
    states = after;
  }
  return { states: withPending(states, pending) };
}

/** The states that any of the pending commands may have led to, in any order. */
function withPending(states: readonly Possible[], pending: readonly { command: Command }[]): readonly Possible[] {
  const all = new Set(states);
  for (let before = -1; before !== all.size;) {
    before = all.size;
    for (const { command } of pending)
      for (const reply of expected([...all], command))
        for (const state of afterReply([...all], command, reply)) all.add(state);
  }
  return [...all];
}

function countViolations(submissions: readonly Call[], { budgets, videos }: Final): Violation[] {
  const titles = new Set(submissions.map(({ title }) => title));
  return [
    ...(submissions.some(({ reply }) => reply?.startsWith('202'))
      ? []
      : [violation('videos are accepted', '', `none of ${submissions.length} submissions`)]),
    ...budgets
      .filter((budget) => budget.charged !== budget.videos)
      .map((budget) =>
        violation('every accepted video is charged once', '', `${budget.videos} videos, ${budget.charged} charges`),
      ),
    ...videos
      .filter(({ title }) => !titles.has(title))
      .map(({ id, title }) => violation('every video was submitted', id, `it is called ${title}`)),
  ];
}

/** Every view was reported once. Some that were accepted may be missing: what JetStream loses before it is stored. */
function viewViolations(samples: readonly Stored[], views: readonly StoredView[]): Violation[] {
  const kept = new Set(views.map(({ view }) => view));
  const vanished = new Set(samples.flatMap((sample) => sample.views.filter((view) => !kept.has(view))));
  return [
    ...[...vanished].map((view) => violation('no stored view vanishes', view, 'it is gone at the end')),
    ...views
      .filter(({ events, plays }) => events !== 1 || plays !== 1)
      .map(({ view, events, plays }) =>
        violation('no view is counted twice', view, `${events} events and ${plays} plays of one report`),
      ),
  ];
}

function memoryViolations(samples: readonly Memory[]): Violation[] {
  return [...Map.groupBy(samples, ({ process }) => process)].flatMap(([process, own]) => {
    const [first, last] = [own.at(0)?.mb ?? 0, own.at(-1)?.mb ?? 0];
    if (last <= Math.max(2 * first, first + GROWTH_MB)) return [];
    return [violation('no process grows without bound', process, `from ${first} MB to ${last} MB`)];
  });
}
