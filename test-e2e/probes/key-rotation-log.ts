/**
 * A log of key changes while requests run: which key each request used, when, and its result. A request counts as sent
 * after a change if its sending began after the change's reply had arrived; anything that overlaps a change may go
 * either way.
 */

export type HeldKey = { readonly id: string; readonly secretKey: string };

type Generation = HeldKey & {
  /** When the reply with this key arrived. */
  readonly aliveFrom: number;
  /** When the call that revokes it began, and when its reply arrived. */
  dyingFrom: number;
  deadFrom: number;
};
/** `unanswered`: the service failed (5xx), which reveals nothing about the key. */
export type Outcome = 'passed' | 'refused' | 'unanswered';
type Attempt = { readonly key: Generation; readonly begun: number; readonly ended: number; readonly came: Outcome };

export type Verdict = {
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
  readonly replace: (key: HeldKey) => Promise<HeldKey | undefined>;
  /** A key with which to continue. */
  readonly issue: () => Promise<HeldKey>;
  /** One request with a key. @throws for any other response */
  readonly ask: (secretKey: string) => Promise<Outcome>;
  /** The least number of requests. */
  readonly requests: number;
  readonly lanes: number;
  /** Requests of the changing lane between two changes. */
  readonly pace: number;
};

/** Runs the requests and the changes between them. */
export async function runKeyRotations(options: KeyRotationOptions): Promise<Verdict> {
  const born = (key: HeldKey): Generation => ({
    ...key,
    aliveFrom: performance.now(),
    dyingFrom: Infinity,
    deadFrom: Infinity,
  });
  const attempts: Attempt[] = [];
  const tryOnce = async (key: Generation): Promise<void> => {
    const begun = performance.now();
    const came = await options.ask(key.secretKey);
    attempts.push({ key, begun, ended: performance.now(), came });
  };
  let newest = born(await options.issue());
  const keys = [newest];
  const change = async (): Promise<void> => {
    const old = newest;
    old.dyingFrom = performance.now();
    const next = await options.replace(old);
    if (next) old.deadFrom = performance.now();
    newest = born(next ?? (await options.issue()));
    keys.push(newest);
    // At once, with both keys: a stale cache anywhere shows here first.
    await Promise.all([old, newest, old, newest].map(tryOnce));
  };
  const lane = async (changes: boolean): Promise<void> => {
    for (let count = 1; attempts.length < options.requests; count++) {
      if (changes && count % options.pace === 0) await change();
      else await tryOnce(pick(keys));
    }
  };
  await Promise.all(Array.from({ length: options.lanes }, (_, number) => lane(number === 0)));
  return judge(attempts, keys.length - 1);
}

/** Half of the requests use the newest key, most others the previous one, the rest any earlier one. */
function pick(keys: readonly Generation[]): Generation {
  const dice = Math.random();
  const back = dice < 0.5 ? 1 : dice < 0.9 ? 2 : 1 + Math.floor(Math.random() * keys.length);
  const key = keys.at(-Math.min(back, keys.length));
  if (key === undefined) throw new Error('there is no key');
  return key;
}

function judge(attempts: readonly Attempt[], changes: number): Verdict {
  const late = attempts.filter(({ key, begun }) => begun > key.deadFrom);
  const due = attempts.filter(({ key, begun, ended }) => begun > key.aliveFrom && ended < key.dyingFrom);
  const sure = new Set([...late, ...due]);
  const across = attempts.filter((one) => !sure.has(one));
  return {
    changes,
    requests: attempts.length,
    late: late.length,
    lateSuccesses: late.filter(({ came }) => came === 'passed').length,
    due: due.length,
    gaps: due.filter(({ came }) => came === 'refused').length,
    across: across.length,
    acrossPassed: across.filter(({ came }) => came === 'passed').length,
    unanswered: attempts.filter(({ came }) => came === 'unanswered').length,
  };
}

/** The sum of several. */
export function together(verdicts: readonly Verdict[]): Verdict {
  const sum = (of: keyof Verdict): number => verdicts.reduce((total, verdict) => total + verdict[of], 0);
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
export function describeVerdict(what: string, verdict: Verdict): string {
  return (
    `${what}: ${verdict.changes} changes, ${verdict.requests} requests; ${verdict.late} began after their key's end, ` +
    `${verdict.lateSuccesses} of them succeeded; ${verdict.due} within their key's life, ${verdict.gaps} of them refused; ` +
    `${verdict.across} across a change, ${verdict.acrossPassed} of them succeeded; ${verdict.unanswered} not answered`
  );
}
