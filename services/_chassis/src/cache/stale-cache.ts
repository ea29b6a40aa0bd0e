/**
 * What a peer or a database says of things that have versions, kept for a short while: one question at a time for each
 * key, its last answer while no new one is had, and no answer that is known to be outdated.
 */
import { openEntryStore, type Entry, type Version } from './stale-entries.ts';
import { pause } from '../process/pause.ts';

export type CachedAnswer<T> = {
  /** Undefined: nobody knows the key. */
  readonly value: T | undefined;
  /** How old it is, in milliseconds; more than 0 where whoever was asked could only say what he remembers. */
  readonly ageMs: number;
};

type Outcome = 'remembered' | 'asked' | 'stale' | 'failed';

type Options<T> = {
  readonly ask: (key: string) => Promise<CachedAnswer<T>>;
  /** What an answer is about, and as of which version of it. */
  readonly versionOf: (value: T) => Version;
  /** Keys at most; the one that was not asked for longest is forgotten first. */
  readonly limit: number;
  /** How long an answer holds, and how long while no new one is had. */
  readonly freshMs: number;
  readonly staleMs: number;
  /** How long a question may take before the last answer, where there is one, is given instead. */
  readonly patienceMs: number;
  /** Told of every look, by who answered it. */
  readonly onLook: (outcome: Outcome) => void;
  /** Told why the last answer had to be given. */
  readonly onStale: (cause: unknown) => void;
};

/** A key that nobody knows may become known at any moment. */
const ABSENT_MS = 1_000;
/** After a failed question last answers are given without asking for that long. */
const QUIET_MS = 1_000;
const ASK_AGAIN = 2;

type Store<T> = ReturnType<typeof openEntryStore<T>>;

/** Opens an empty memory. */
export function openStaleCache<T>(options: Options<T>) {
  const { freshMs, staleMs, patienceMs, onLook, onStale } = options;
  const store = openEntryStore<T>(options.limit, options.versionOf);
  const ask = createLoader(store, options);
  const stillGood = youngerThan(store, staleMs);
  const quiet = retryGate();

  const look = async (key: string): Promise<readonly [Outcome, CachedAnswer<T>]> => {
    const last = store.last(key);
    const holdsMs = last?.value === undefined ? Math.min(ABSENT_MS, freshMs) : freshMs;
    if (last && ageOf(last) < holdsMs) return ['remembered', answerOf(last)];
    const meanwhile = stillGood(key);
    if (meanwhile && quiet.isOn()) return ['stale', answerOf(meanwhile)];
    try {
      const answer = await (meanwhile ? within(ask(key), patienceMs) : ask(key));
      if (!answer.isOld) return ['asked', answerOf(answer, 0)];
      quiet.begin();
      const youngest = stillGood(key);
      if (!youngest) throw new Error('what is remembered is too old');
      return [youngest === answer ? 'asked' : 'stale', answerOf(youngest)];
    } catch (cause) {
      const good = stillGood(key);
      if (!good) throw cause;
      onStale(cause);
      quiet.begin();
      return ['stale', answerOf(good)];
    }
  };

  return {
    /**
     * What is said under a key, and how old that is.
     * @throws whatever `ask` threw, when there is no last answer or it is too old
     */
    find: async (key: string): Promise<CachedAnswer<T>> => {
      try {
        const [outcome, found] = await look(key);
        onLook(outcome);
        return found;
      } catch (cause) {
        onLook('failed');
        throw cause;
      }
    },
    /** The thing has changed: what is older than `version` is forgotten, and not believed when it still arrives. */
    drop: store.drop,
  };
}

/** Asks, keeps what was said, and asks again for an answer that was on its way while its thing changed. */
function createLoader<T>(store: Store<T>, { ask, freshMs }: Options<T>) {
  const once = singleFlight(async (key): Promise<Entry<T>> => {
    const asked = performance.now();
    const { value, ageMs } = await ask(key);
    const answer = { value, since: asked - ageMs, isOld: ageMs > 0 };
    // Where nothing is remembered for its own sake, strangers' inventions would only push out what is known.
    if (value === undefined && freshMs === 0) store.forget(key);
    else store.keep(key, answer);
    return answer;
  });
  const again = async (key: string, times: number): Promise<Entry<T>> => {
    const answer = await once(key);
    if (!store.isOutdated(answer)) return answer;
    if (times > 0) return again(key, times - 1);
    if (answer.isOld) throw new Error('what is remembered is older than the last change');
    return answer;
  };
  return (key: string): Promise<Entry<T>> => again(key, ASK_AGAIN);
}

/** Asks one question a key at a time; who comes while it runs gets the same answer. */
function singleFlight<R>(question: (key: string) => Promise<R>) {
  const running = new Map<string, Promise<R>>();
  return (key: string): Promise<R> => {
    const before = running.get(key);
    if (before) return before;
    const asked = question(key).finally(() => running.delete(key));
    running.set(key, asked);
    return asked;
  };
}

/** The last answer about something that is known, unless it is older than that. */
function youngerThan<T>(store: Store<T>, mostMs: number) {
  return (key: string): Entry<T> | undefined => {
    const last = store.last(key);
    return last?.value !== undefined && ageOf(last) < mostMs ? last : undefined;
  };
}

/** After a question that failed. */
function retryGate() {
  let until = 0;
  return {
    begin: (): void => void (until = performance.now() + QUIET_MS),
    isOn: (): boolean => performance.now() < until,
  };
}

function ageOf({ since }: Entry<unknown>): number {
  return performance.now() - since;
}

function answerOf<T>(answer: Entry<T>, ageMs = ageOf(answer)): CachedAnswer<T> {
  return { value: answer.value, ageMs };
}

async function within<R>(work: Promise<R>, ms: number): Promise<R> {
  const over = new AbortController();
  const late = pause(ms, over.signal).then(() => {
    throw new Error(`no answer within ${ms} ms`);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    over.abort();
  }
}
