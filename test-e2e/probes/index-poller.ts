/** Polls the index from a separate process, so that the pace holds however busy the test's own process is. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { startPolling, type Poller, type PollResult } from './poller.ts';
import { visibleDocuments } from './visible-documents.ts';

/** So many queries may be pending. */
const MAX_OPEN = 100;

type Command = { readonly index: string; readonly sport: string; readonly everyMs: number } | 'end';
type Answer = { readonly result: PollResult } | { readonly failure: string };

export type IndexPoller = {
  /** @throws when a poll failed */
  readonly end: () => Promise<PollResult>;
};

/**
 * Starts polling an index for the videos of a sport.
 * @param index from `videosIndex`
 * @param everyMs between the starts of two polls, in milliseconds
 */
export function pollIndex(index: string, sport: string, everyMs: number): IndexPoller {
  const child = fork(fileURLToPath(import.meta.url), ['poll']);
  const send = (command: Command): boolean => child.send(command);
  // Above other work in priority, if the user may set it.
  try {
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_HIGH);
  } catch {
    console.log('      the poller may not have a higher priority here');
  }
  const answered = once(child, 'message');
  const exited = once(child, 'exit').then(() => [{ failure: 'the process of the poller ended' }]);
  send({ index, sport, everyMs });
  return {
    end: async () => {
      if (child.connected) send('end');
      const [answer] = (await Promise.race([answered, exited])) as [Answer];
      if ('failure' in answer) throw new Error(answer.failure);
      return answer.result;
    },
  };
}

function serve(): void {
  let end: Poller['end'] | undefined;
  const answer = (what: Answer): void => void process.send?.(what, () => process.disconnect());
  process.on('message', (command: Command) => {
    if (command === 'end')
      void end?.().then(
        (result) => answer({ result }),
        (failure: Error) => answer({ failure: `${failure.message}: ${String(failure.cause)}` }),
      );
    else end = startPolling(command.everyMs, MAX_OPEN, () => visibleDocuments(command.index, command.sport)).end;
  });
}

if (process.argv[2] === 'poll' && process.send !== undefined) serve();
