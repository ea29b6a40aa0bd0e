/**
 * One key after another while requests run: who asked with which key, when, and what came of it. A request counts as
 * begun after a change when its sending began after the change's reply had arrived; anything that overlaps a change may
 * go either way.
 */

export type HeldKey = { readonly id: string; readonly secretKey: string };

type Generation = HeldKey & {
  /** When the reply arrived that this key came with. */
  readonly aliveFrom: number;
  /** When the call began that ends it, and when its reply arrived. */
  dyingFrom: number;
  deadFrom: number;
};
/** `unanswered`: the service failed (5xx) and so said nothing about the key. */
export type Outcome = 'passed' | 'refused' | 'unanswered';
type Attempt = { readonly key: Generation; readonly begun: number; readonly ended: number; readonly came: Outcome };

export type Verdict = {
  readonly changes: number;
  readonly requests: number;
  /** Begun after their key's end; how many of them succeeded. */
  readonly late: number;
  readonly lateSuccesses: number;
  /** Within their key's life from reply to the next change; how many of them were refused. */
  readonly due: number;
  readonly gaps: number;
  /** Overlapping a change; how many of them succeeded. */
  readonly across: number;
  readonly acrossPassed: number;
  /** Of all: those that failed on the service's side. */
  readonly unanswered: number;
};

export type KeyRotationOptions = {
  /** Ends a key and returns the one after it; undefined where the reply was lost, and with it what became of the key. */
  readonly replace: (key: HeldKey) => Promise<HeldKey | undefined>;
  /** A key to go on with after that. */
  readonly issue: () => Promise<HeldKey>;
  /** One request with a key. @throws on any other answer */
  readonly ask: (secretKey: string) => Promise<Outcome>;
  /** At least so many requests. */
  readonly requests: number;
  readonly lanes: number;
  /** Requests of the changing lane between two changes. */
  readonly pace: number;
};

/** Runs the requests and the changes among them. */
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
    // At once, with both keys: what is remembered anywhere shows here first.
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

/** Half of the requests take the newest key, most others the one before it, the rest any that was. */
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

/** For a person to read. */
export function describeVerdict(what: string, verdict: Verdict): string {
  return (
    `${what}: ${verdict.changes} changes, ${verdict.requests} requests; ${verdict.late} began after their key's end, ` +
    `${verdict.lateSuccesses} of them succeeded; ${verdict.due} within their key's life, ${verdict.gaps} of them refused; ` +
    `${verdict.across} across a change, ${verdict.acrossPassed} of them succeeded; ${verdict.unanswered} not answered`
  );
}
