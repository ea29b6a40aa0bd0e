/**
 * A log of key changes while requests run: which key each request used, when, and its result. A request counts as sent
 * after a change if it was started after the change's reply had arrived; anything that overlaps a change may go either
 * way.
 */

export type CurrentKey = { readonly id: string; readonly secretKey: string };

type Generation = CurrentKey & {
  /** When the reply with this key arrived. */
  readonly aliveFrom: number;
  /** When the call that revokes it started, and when its reply arrived. */
  dyingFrom: number;
  deadFrom: number;
};
/** `unanswered`: the service failed (5xx), which reveals nothing about the key. */
export type Outcome = 'passed' | 'rejected' | 'unanswered';
type Attempt = { readonly key: Generation; readonly begun: number; readonly ended: number; readonly outcome: Outcome };

export type RotationSummary = {
  readonly changes: number;
  readonly requests: number;
  /** Sent after their key's end; how many of them succeeded. */
  readonly late: number;
  readonly lateSuccesses: number;
  /** Within their key's life from reply to the next change; how many of them were rejected. */
  readonly due: number;
  readonly gaps: number;
  /** Overlapping a change; how many of them succeeded. */
  readonly across: number;
  readonly acrossPassed: number;
  /** Of all: those that failed on the service's side. */
  readonly unanswered: number;
};

export type KeyRotationOptions = {
  /** Revokes a key and returns its successor; undefined if the reply was lost and the key's state is unknown. */
  readonly replace: (key: CurrentKey) => Promise<CurrentKey | undefined>;
  /** A key with which to continue. */
  readonly issue: () => Promise<CurrentKey>;
  /** One request with a key. @throws for any other response */
  readonly send: (secretKey: string) => Promise<Outcome>;
  /** The least number of requests. */
  readonly requests: number;
  readonly clients: number;
  /** Requests of the changing client between two changes. */
  readonly requestsPerChange: number;
};

/** Runs the requests and the changes between them. */
export async function runKeyRotations(options: KeyRotationOptions): Promise<RotationSummary> {
  const generationOf = (key: CurrentKey): Generation => ({
    ...key,
    aliveFrom: performance.now(),
    dyingFrom: Infinity,
    deadFrom: Infinity,
  });
  const attempts: Attempt[] = [];
  const tryOnce = async (key: Generation): Promise<void> => {
    const begun = performance.now();
    const outcome = await options.send(key.secretKey);
    attempts.push({ key, begun, ended: performance.now(), outcome });
  };
  let newest = generationOf(await options.issue());
  const keys = [newest];
  const change = async (): Promise<void> => {
    const old = newest;
    old.dyingFrom = performance.now();
    const next = await options.replace(old);
    if (next) old.deadFrom = performance.now();
    newest = generationOf(next ?? (await options.issue()));
    keys.push(newest);
    // At once, with both keys: a stale cache anywhere shows here first.
    await Promise.all([old, newest, old, newest].map(tryOnce));
  };
  const client = async (changes: boolean): Promise<void> => {
    for (let count = 1; attempts.length < options.requests; count++) {
      if (changes && count % options.requestsPerChange === 0) await change();
      else await tryOnce(pick(keys));
    }
  };
  await Promise.all(Array.from({ length: options.clients }, (_, number) => client(number === 0)));
  return summarize(attempts, keys.length - 1);
}

/** Half of the requests use the newest key, most others the previous one, the rest any earlier one. */
function pick(keys: readonly Generation[]): Generation {
  const share = Math.random();
  const back = share < 0.5 ? 1 : share < 0.9 ? 2 : 1 + Math.floor(Math.random() * keys.length);
  const key = keys.at(-Math.min(back, keys.length));
  if (key === undefined) throw new Error('there is no key');
  return key;
}

function summarize(attempts: readonly Attempt[], changes: number): RotationSummary {
  const late = attempts.filter(({ key, begun }) => begun > key.deadFrom);
  const due = attempts.filter(({ key, begun, ended }) => begun > key.aliveFrom && ended < key.dyingFrom);
  const sure = new Set([...late, ...due]);
  const across = attempts.filter((one) => !sure.has(one));
  return {
    changes,
    requests: attempts.length,
    late: late.length,
    lateSuccesses: late.filter(({ outcome }) => outcome === 'passed').length,
    due: due.length,
    gaps: due.filter(({ outcome }) => outcome === 'rejected').length,
    across: across.length,
    acrossPassed: across.filter(({ outcome }) => outcome === 'passed').length,
    unanswered: attempts.filter(({ outcome }) => outcome === 'unanswered').length,
  };
}

/** The sum of several. */
export function sumOf(summaries: readonly RotationSummary[]): RotationSummary {
  const sum = (of: keyof RotationSummary): number => summaries.reduce((total, summary) => total + summary[of], 0);
  return {
    changes: sum('changes'),
    requests: sum('requests'),
    late: sum('late'),
    lateSuccesses: sum('lateSuccesses'),
    due: sum('due'),
    gaps: sum('gaps'),
    across: sum('across'),
    acrossPassed: sum('acrossPassed'),
    unanswered: sum('unanswered'),
  };
}

/** As readable text. */
export function describeSummary(what: string, summary: RotationSummary): string {
  return (
    `${what}: ${summary.changes} changes, ${summary.requests} requests; ${summary.late} started after their key's end, ` +
    `${summary.lateSuccesses} of them succeeded; ${summary.due} within their key's life, ${summary.gaps} of them rejected; ` +
    `${summary.across} across a change, ${summary.acrossPassed} of them succeeded; ${summary.unanswered} not answered`
  );
}
