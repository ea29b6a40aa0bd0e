/**
 * Memory for parts of sources whose length is unknown, so that it stays bounded, and one partner's slow sources hold up
 * nobody else's: a partner never has more than half of the buffers, and those who wait are served in their order.
 */
export type PartBuffers = ReturnType<typeof createPartBuffers>;

type Wish = { readonly tenant: string; readonly bytes: number; readonly signal: AbortSignal };
type Waiting = { readonly tenant: string; readonly start: (buffer: Buffer) => void };

export function createPartBuffers(count: number) {
  const most = Math.max(1, Math.floor(count / 2));
  const free: Buffer[] = [];
  const held = new Map<string, number>();
  const queue: Waiting[] = [];
  let made = 0;

  const heldBy = (tenant: string): number => held.get(tenant) ?? 0;
  const hold = (tenant: string, change: 1 | -1): void => {
    const now = heldBy(tenant) + change;
    if (now > 0) held.set(tenant, now);
    else held.delete(tenant);
  };
  const startNext = (): void => {
    const at = queue.findIndex(({ tenant }) => heldBy(tenant) < most);
    const buffer = at < 0 ? undefined : (free.pop() ?? (made < count ? makeOne() : undefined));
    if (!buffer) return;
    const [next] = queue.splice(at, 1);
    if (!next) return;
    hold(next.tenant, 1);
    next.start(buffer);
    startNext();
  };
  const makeOne = (): Buffer => {
    made += 1;
    return Buffer.alloc(0);
  };
  const acquire = (tenant: string, signal: AbortSignal): Promise<Buffer> =>
    new Promise((resolve, reject) => {
      const giveUp = (): void => {
        queue.splice(queue.indexOf(waiting), 1);
        reject(signal.reason as Error);
      };
      const start = (buffer: Buffer): void => {
        signal.removeEventListener('abort', giveUp);
        resolve(buffer);
      };
      const waiting = { tenant, start };
      signal.addEventListener('abort', giveUp, { once: true });
      queue.push(waiting);
      startNext();
    });
  /**
   * Runs `work` with a buffer of `bytes` bytes.
   * @throws the signal's reason when it aborts while the call waits
   */
  return async <T>({ tenant, bytes, signal }: Wish, work: (buffer: Buffer) => Promise<T>): Promise<T> => {
    signal.throwIfAborted();
    let buffer = await acquire(tenant, signal);
    try {
      // A source keeps the length of its parts when the setting changes.
      if (buffer.length < bytes) buffer = Buffer.allocUnsafeSlow(bytes);
      return await work(buffer.subarray(0, bytes));
    } finally {
      hold(tenant, -1);
      free.push(buffer);
      startNext();
    }
  };
}
