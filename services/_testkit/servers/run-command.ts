/** Commands that start processes: the end of such a command, of any kind, ends everything it started. */
import { constants } from 'node:os';
import { basename, dirname } from 'node:path';
import { endOwned, killOwned, openOwned } from './owned-processes.ts';
import { ancestorNamed, born } from './process-table.ts';
import { print, runMain } from './progress.ts';

export type CommandOptions = {
  /** How long `main` may take to undo its work after a signal; by default nothing: the signal ends the processes. */
  readonly graceMs?: number;
  /** The exit code after a signal; by default that of shells, 128 and the number of the signal. */
  readonly interruptedCode?: number;
};

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Ctrl-C reaches a command twice, from the terminal and through npm. */
const SAME_MS = 2_000;
const WATCH_MS = 1_000;

/**
 * Runs the main function of a command like `runMain`. SIGINT, SIGTERM, SIGHUP (also the end of the npm that runs it),
 * an uncaught exception and its own end all end what it started.
 * @param main gets a signal that aborts at the first of the signals
 */
export async function runCommand(
  main: (signal: AbortSignal) => Promise<number | void>,
  { graceMs = 0, interruptedCode }: CommandOptions = {},
): Promise<void> {
  const folder = openOwned(commandName());
  const interrupted = new AbortController();
  let ending: Promise<void> | undefined;
  const end = (): Promise<void> => (ending ??= endAll(folder));
  const leave = (code: number): void => void end().finally(() => process.exit(code));
  let since = 0;
  const onSignal = (name: NodeJS.Signals): void => {
    const code = interruptedCode ?? 128 + constants.signals[name];
    const isFirst = !interrupted.signal.aborted;
    if (isFirst) since = performance.now();
    interrupted.abort();
    if (graceMs === 0 || (!isFirst && performance.now() - since > SAME_MS)) leave(code);
    else if (isFirst) setTimeout(() => leave(code), graceMs).unref();
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  onEndOfNpm(() => onSignal('SIGHUP'));
  process.on('uncaughtException', (error) => {
    if (ending === undefined) print(`uncaught exception: ${error.stack ?? String(error)}`);
    leave(1);
  });
  process.on('exit', () => killOwned(folder));
  await runMain(() => main(interrupted.signal));
  await end();
}

/** The script's name, such as `bench`; that of its folder if it is called main. */
function commandName(): string {
  const file = process.argv[1] ?? 'command';
  const name = basename(file, '.ts');
  return name === 'main' ? basename(dirname(file)) : name;
}

async function endAll(folder: string): Promise<void> {
  const ended = await endOwned(folder);
  if (ended.length > 0) print(`ended: ${ended.join(', ')}`);
}

/** npm forwards SIGINT and SIGTERM, and no SIGHUP: its end is one. */
function onEndOfNpm(act: () => void): void {
  const npm = process.env['npm_lifecycle_event'] === undefined ? null : ancestorNamed(/^p?npm/);
  if (npm === null) return;
  const watch = setInterval(() => {
    if (born(npm) !== null) return;
    clearInterval(watch);
    act();
  }, WATCH_MS);
  watch.unref();
}
