/** What the time of a try goes to: phases named by the code that spends it, however deep in the job's calls it is. */
import { AsyncLocalStorage } from 'node:async_hooks';

/** `fetch`: bytes come from storage or from a source; `encode`: a program runs; `upload`: bytes go to storage. */
export type PhaseName = 'fetch' | 'encode' | 'upload';

/** Milliseconds since the claim, from the first beginning to the last end; `ms` of them something was in progress. */
export type Phase = { readonly fromMs: number; readonly toMs: number; readonly ms: number };
/** Phases may run beside each other. */
export type Phases = Partial<Record<PhaseName, Phase>>;

type Entry = { readonly fromMs: number; toMs: number; ms: number; active: number; since: number };

const clocks = new AsyncLocalStorage<ReturnType<typeof startClock>>();

/** Runs `work`, a try of a job that was just claimed: the phases that it names are its own. */
export function withPhases<T>(work: () => T): T {
  return clocks.run(startClock(), work);
}

/** The phases so far of the try in progress; undefined outside of one. */
export function currentPhases(): Phases | undefined {
  return clocks.getStore()?.read();
}

/** Runs `work` as a phase of the job in progress, if there is one. */
export async function timed<T>(name: PhaseName, work: () => Promise<T>): Promise<T> {
  const end = beginPhase(name);
  try {
    return await work();
  } finally {
    end();
  }
}

/** Begins a phase of the job in progress, if there is one, and returns what ends it. */
export function beginPhase(name: PhaseName): () => void {
  return clocks.getStore()?.begin(name) ?? (() => undefined);
}

function startClock() {
  const claimedAt = performance.now();
  const now = (): number => performance.now() - claimedAt;
  const entries = new Map<PhaseName, Entry>();
  const read = ({ fromMs, toMs, ms, active, since }: Entry): Phase => {
    const untilNow = active > 0 ? now() - since : 0;
    return {
      fromMs: Math.round(fromMs),
      toMs: Math.round(active > 0 ? since + untilNow : toMs),
      ms: Math.round(ms + untilNow),
    };
  };
  return {
    begin: (name: PhaseName): (() => void) => {
      const since = now();
      const entry = entries.get(name) ?? { fromMs: since, toMs: since, ms: 0, active: 0, since };
      entries.set(name, entry);
      if (entry.active === 0) entry.since = since;
      entry.active += 1;
      return () => {
        entry.active -= 1;
        if (entry.active > 0) return;
        entry.toMs = now();
        entry.ms += entry.toMs - entry.since;
      };
    },
    read: (): Phases => Object.fromEntries([...entries].map(([name, entry]) => [name, read(entry)])),
  };
}
