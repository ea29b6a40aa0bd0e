/** A setting that changes while requests run, and whether it decided each request that overlaps no change. */

type Change<T> = { readonly value: T; readonly begun: number; readonly done: number };
type Attempt<T> = { readonly begun: number; readonly ended: number; readonly seen: T | undefined };

export type SettingsOptions<T> = {
  /** Used in rotation. */
  readonly values: readonly T[];
  readonly set: (value: T) => Promise<void>;
  /** One request: the value that decided it; undefined if the service failed (5xx). */
  readonly send: () => Promise<T | undefined>;
  /** The least number of requests. */
  readonly requests: number;
};

/** Runs requests of four clients, and a change after every few of them. */
export async function runSettings<T>({ values, set, send, requests }: SettingsOptions<T>) {
  const changes: Change<T>[] = [];
  const attempts: Attempt<T>[] = [];
  const change = async (): Promise<void> => {
    const value = values[changes.length % values.length];
    if (value === undefined) throw new Error('there is no value');
    const begun = performance.now();
    await set(value);
    changes.push({ value, begun, done: performance.now() });
  };
  const attempt = async (): Promise<void> => {
    const begun = performance.now();
    const seen = await send();
    attempts.push({ begun, ended: performance.now(), seen });
  };
  const client = async (requestsPerChange: number): Promise<void> => {
    for (let count = 1; attempts.length < requests; count++)
      await (count % requestsPerChange === 0 ? change() : attempt());
  };
  await change();
  await attempt();
  await Promise.all([5, Infinity, Infinity, Infinity].map(client));
  const compared = attempts.flatMap((one) => {
    const change = inForce(changes, one);
    return change === undefined || one.seen === undefined ? [] : [{ expected: change.value, seen: one.seen }];
  });
  return {
    changes: changes.length,
    settled: compared.length,
    wrong: compared.filter(({ expected, seen }) => expected !== seen).length,
  };
}

/** The value in force for an entire request; undefined if a change overlaps it. */
function inForce<T>(changes: readonly Change<T>[], { begun, ended }: Attempt<T>): Change<T> | undefined {
  if (changes.some((change) => change.begun < ended && change.done > begun)) return undefined;
  return changes.findLast(({ done }) => done <= begun);
}
