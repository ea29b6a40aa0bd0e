/** The signal of the work in progress: its calls of dependencies end when it aborts, however deep they are. */
import { AsyncLocalStorage } from 'node:async_hooks';

const signals = new AsyncLocalStorage<AbortSignal>();

/** Runs `work`; the calls that it makes end when `signal`, or the signal of the work around it, aborts. */
export function withSignal<T>(signal: AbortSignal, work: () => T): T {
  const outer = signals.getStore();
  return signals.run(outer && outer !== signal ? AbortSignal.any([outer, signal]) : signal, work);
}

/** The signal of the work in progress; undefined outside of `withSignal`. */
export function currentSignal(): AbortSignal | undefined {
  return signals.getStore();
}
