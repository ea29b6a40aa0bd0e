/** The processes of an embedded model: one for each call at a time; an idle one is used again, and ends after a while. */
import { AppError } from '@vds/chassis/errors';
import type { ModelChild } from './model-child.ts';

export type ModelPool = ReturnType<typeof createPool>;

/** @param idleMs after which an idle process ends and frees the memory of its model */
export function createPool(start: () => ModelChild, idleMs: number) {
  const all = new Set<ModelChild>();
  const idle = new Map<ModelChild, NodeJS.Timeout>();
  let isClosed = false;

  const forget = (child: ModelChild): void => {
    clearTimeout(idle.get(child));
    idle.delete(child);
    all.delete(child);
  };
  const end = async (child: ModelChild): Promise<void> => {
    clearTimeout(idle.get(child));
    idle.delete(child);
    await child.end();
  };
  const take = (): ModelChild => {
    if (isClosed) throw new AppError('CANCELLED', 'the engine is closed');
    // The one used last: the others become idle for long enough to end.
    for (const child of [...idle.keys()].toReversed()) {
      clearTimeout(idle.get(child));
      idle.delete(child);
      if (!child.isWorn()) return child;
      void child.end();
    }
    const child = start();
    all.add(child);
    child.run.catch(() => forget(child));
    return child;
  };
  return {
    /** Runs `work` with a process that no other call uses; one whose work failed ends. */
    use: async <T>(work: (child: ModelChild) => Promise<T>): Promise<T> => {
      const child = take();
      try {
        const result = await work(child);
        if (isClosed || child.isWorn()) await end(child);
        else idle.set(child, setTimeout(() => void end(child), idleMs).unref());
        return result;
      } catch (error) {
        await end(child);
        throw error;
      }
    },
    /** Ends every process. */
    close: async (): Promise<void> => {
      isClosed = true;
      await Promise.all([...all].map(end));
    },
  };
}
