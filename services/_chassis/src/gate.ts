/** Limits concurrency, in the order of the calls; a waiting call is dropped when its signal aborts. */
import pLimit from 'p-limit';

export function createGate(concurrency: number) {
  const limit = pLimit(concurrency);
  return async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    signal.throwIfAborted();
    return new Promise<T>((resolve, reject) => {
      const onAbort = (): void => reject(signal.reason as Error);
      signal.addEventListener('abort', onAbort, { once: true });
      limit(() => {
        signal.removeEventListener('abort', onAbort);
        signal.throwIfAborted();
        return work();
      }).then(resolve, reject);
    });
  };
}
