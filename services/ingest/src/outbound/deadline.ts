/** Deadlines: a step that does not end in time is aborted with a fault of its own. */

/**
 * Runs `work` with a signal that aborts after `ms`, or with `outer`. Rejects with the abort's reason as soon as it
 * aborts, even when `work` ignores the signal.
 * @param fault creates the abort reason
 */
export async function withDeadline<T>(
  ms: number,
  fault: () => Error,
  outer: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  outer.throwIfAborted();
  const controller = new AbortController();
  const aborted = Promise.withResolvers<never>();
  const abort = (reason: unknown): void => {
    controller.abort(reason);
    aborted.reject(reason);
  };
  const onOuter = (): void => abort(outer.reason);
  let late: NodeJS.Immediate | undefined;
  // After a pause of this process its timers run before its sockets: what has arrived in time counts.
  const timer = setTimeout(() => (late = setImmediate(() => abort(fault()))), ms);
  outer.addEventListener('abort', onOuter, { once: true });
  try {
    return await Promise.race([work(controller.signal), aborted.promise]);
  } finally {
    clearTimeout(timer);
    clearImmediate(late);
    outer.removeEventListener('abort', onOuter);
  }
}
