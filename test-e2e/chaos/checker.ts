/**
 * Judges a run by its history and by what is there at its end. Pure. Per video it keeps the set of states that the
 * replies leave possible; a call without a known outcome may have taken effect, now or a little later.
 */
import { afterReply, expected, type Command, type Possible } from '../fixtures/video-model.ts';
import { isAcknowledged, type Call, type Entry, type Memory } from './history.ts';

export type FinalVideo = {
  readonly id: string;
  /** Undefined where the partner's interface does not know it. */
  readonly status: string | undefined;
  readonly failure?: string;
  /** `plays`, `closed`, or what is wrong with the stream. */
  readonly playback: string;
  /** Documents in the index with more than the fact of a deletion. */
  readonly documents: number;
  /** Objects, rows and documents that are left of it. */
  readonly remains: readonly string[];
};

export type Final = {
  readonly videos: readonly FinalVideo[];
  /** Sum of the partners' daily counts. */
  readonly charged: number;
  /** Videos in catalog's database, deleted ones included. */
  readonly accepted: number;
  /** Objects that belong to no video. */
  readonly strays: readonly string[];
  /** Work that is neither done nor waiting for a time to come. */
  readonly unfinished: readonly string[];
};

export type Violation = { readonly rule: string; readonly subject: string; readonly detail: string };

/** Longer than any call lives on in the service after its caller has given up. */
const LATE_MS = 30_000;
/** Players may use what they know of a gate for so long; the run's settings are shorter. */
const GATE_MS = 30_000;
/** A process may end with twice the memory of its beginning, and at least this many megabytes more. */
const GROWTH_MB = 200;

const settled: Readonly<Record<Possible, { readonly good: string; readonly missing: string }>> = {
  processing: { good: 'ready', missing: 'failed' },
  archiving: { good: 'archived', missing: 'failed' },
  deleting: { good: 'deleted', missing: 'deleted' },
  ready: { good: 'ready', missing: 'ready' },
  archived: { good: 'archived', missing: 'archived' },
  // A source that can be fetched never fails.
  failed: { good: 'no failure', missing: 'failed' },
  deleted: { good: 'deleted', missing: 'deleted' },
};

/** Every violation; none for a run without faults of the service. */
export function checkRun(history: readonly Entry[], final: Final): Violation[] {
  const calls = history.filter((entry) => entry.kind === 'call');
  const submitted = calls.filter(({ operation, video }) => operation === 'submit' && video !== undefined);
  return [
    ...contractViolations(calls),
    ...submitted.flatMap((submission) => videoViolations(submission, calls, final)),
    ...countViolations(calls, final),
    ...final.strays.map((detail) => violation('every object belongs to a video', detail.split('/')[1] ?? '', detail)),
    ...final.unfinished.map((detail) => violation('all work ends', '', detail)),
    ...history.flatMap((entry) =>
      entry.kind === 'crash' ? [violation('no process ends by itself', entry.process, entry.log)] : [],
    ),
    ...memoryViolations(history.filter((entry) => entry.kind === 'memory')),
  ];
}

function violation(rule: string, subject: string, detail: string): Violation {
  return { rule, subject, detail };
}

function contractViolations(calls: readonly Call[]): Violation[] {
  return calls
    .filter(({ reply, problem }) => reply !== null && problem !== undefined)
    .map(({ operation, problem = '' }) => violation('every response obeys the contract', operation, problem));
}

function videoViolations(submission: Call, calls: readonly Call[], final: Final): Violation[] {
  const { video = '', source = 'good' } = submission;
  const own = calls.filter((call) => call.video === video);
  const { states, illegal } = possibleStates(own);
  if (illegal) return [illegalReply(illegal)];
  const seen = own.find((call) => playsDeleted(call, own));
  if (seen) return [violation('nobody watches a deleted video', video, `at ${seen.fromMs} ms`)];
  const found = final.videos.find(({ id }) => id === video);
  if (found?.status === undefined) return [violation('an accepted video is never lost', video, 'it does not exist')];
  const wanted = new Set(states.map((state) => settled[state][source]));
  const { status, failure = '' } = found;
  if (!wanted.has(status)) {
    const detail = `${status} ${failure}, after replies that demand ${[...wanted].join(' or ')}`;
    return [violation('a video ends as the acknowledged operations demand', video, detail)];
  }
  return outcomeViolations(found);
}

function illegalReply({ video = '', operation, reply, fromMs }: Call): Violation {
  const detail = `${operation} at ${fromMs} ms answered ${reply}`;
  return violation('every reply fits the replies before it', video, detail);
}

function playsDeleted({ operation, reply, fromMs }: Call, own: readonly Call[]): boolean {
  if (operation !== 'watch' || reply !== '200') return false;
  return own.some(
    (call) => call.operation === 'delete' && call.reply === '200 deleted' && call.toMs + GATE_MS < fromMs,
  );
}

/** The states that the replies leave possible; `illegal` is the first call that no state explains. */
export function possibleStates(calls: readonly Call[]): { states: readonly Possible[]; illegal?: Call } {
  let states: readonly Possible[] = ['processing'];
  let pending: { readonly command: Command; readonly untilMs: number }[] = [];
  for (const call of calls.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const { operation: command } = call;
    if (command === 'submit' || command === 'watch') continue;
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

/** What must be there, or not, for the status in which a video ended. */
function outcomeViolations({ id, status, playback, documents, remains }: FinalVideo): Violation[] {
  const found: Violation[] = [];
  const isReady = status === 'ready';
  if (isReady && playback !== 'plays') found.push(violation('a ready video plays', id, playback));
  if (!isReady && playback !== 'closed')
    found.push(violation(`a video that is not ready does not play`, id, `${status}, and ${playback}`));
  if (documents !== (isReady ? 1 : 0))
    found.push(violation('the index has exactly the ready videos', id, `${status}, and ${documents} documents`));
  if (status === 'deleted' && remains.length > 0)
    found.push(violation('nothing is left of a deleted video', id, remains.slice(0, 5).join(', ')));
  return found;
}

function countViolations(calls: readonly Call[], { charged, accepted }: Final): Violation[] {
  const submissions = calls.filter(({ operation }) => operation === 'submit');
  const least = submissions.filter(({ reply }) => reply?.startsWith('202')).length;
  const most = least + submissions.filter((call) => !isAcknowledged(call)).length;
  return [
    ...(charged === accepted
      ? []
      : [violation('every accepted video is charged once', '', `${accepted} videos, ${charged} charges`)]),
    ...(accepted >= least && accepted <= most
      ? []
      : [violation('no video is lost or made twice', '', `${accepted} videos, ${least} to ${most} accepted`)]),
  ];
}

function memoryViolations(samples: readonly Memory[]): Violation[] {
  return [...Map.groupBy(samples, ({ process }) => process)].flatMap(([process, own]) => {
    const [first, last] = [own.at(0)?.mb ?? 0, own.at(-1)?.mb ?? 0];
    if (last <= Math.max(2 * first, first + GROWTH_MB)) return [];
    return [violation('no process grows without bound', process, `from ${first} MB to ${last} MB`)];
  });
}
