/** Looks from a process of its own: the pace holds however busy the test's own process is. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { beginLooks, type Told } from './poller.ts';
import { visibleDocuments } from './visible-documents.ts';

type Order = { readonly index: string; readonly sport: string; readonly everyMs: number } | 'end';
type Answer = { readonly told: Told } | { readonly failure: string };

export type IndexLooks = {
  /** @throws when a look failed */
  readonly end: () => Promise<Told>;
};

/**
 * Begins to look for the videos of a sport in an index.
 * @param index from `videosIndex`
 * @param everyMs from the beginning of one look to that of the next, in milliseconds
 */
export function lookInIndex(index: string, sport: string, everyMs: number): IndexLooks {
  const child = fork(fileURLToPath(import.meta.url), ['look']);
  const order = (what: Order): boolean => child.send(what);
  // Before other work of the machine, where the user may ask for that; else beside it.
  try {
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_HIGH);
  } catch {
    console.log('      the looks may not have a higher priority here');
  }
  const answered = once(child, 'message');
  const exited = once(child, 'exit').then(() => [{ failure: 'the process of the looks ended' }]);
  order({ index, sport, everyMs });
  return {
    end: async () => {
      if (child.connected) order('end');
      const [answer] = (await Promise.race([answered, exited])) as [Answer];
      if ('failure' in answer) throw new Error(answer.failure);
      return answer.told;
    },
  };
}

function serve(): void {
  let ending: (() => Promise<Told>) | undefined;
  const answer = (what: Answer): void => void process.send?.(what, () => process.disconnect());
  process.on('message', (order: Order) => {
    if (order === 'end')
      void ending?.().then(
        (told) => answer({ told }),
        (failure: Error) => answer({ failure: `${failure.message}: ${String(failure.cause)}` }),
      );
    else ending = beginLooks(order.everyMs, () => visibleDocuments(order.index, order.sport)).end;
  });
}

if (process.argv[2] === 'look' && process.send !== undefined) serve();
