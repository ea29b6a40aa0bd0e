/**
 * The main job on this machine: servers, services, a partner with a key, and videos from their addresses to a player
 * page.
 *   npm run demo [-- <https address of a video> | --file <path>] [--title t] [--sport s] [--language l] [--once] [--verbose]
 * Progress goes to stderr, the addresses to stdout. The exit code is 0 only if everything worked.
 */
import { messageOf } from '@vds/chassis/errors';
import { redirectProgress } from '@vds/testkit/servers/progress';
import { runCommand } from '@vds/testkit/servers/run-command';
import { readArguments, USAGE } from './demo/arguments.ts';
import { runDemo } from './demo/run-demo.ts';
import { openScreen, type Screen } from './demo/screen.ts';

type Undoing = { what: string; work: () => Promise<unknown> };

await runCommand(main, { graceMs: 60_000 });

async function main(signal: AbortSignal): Promise<number> {
  const wanted = argumentsOrReason();
  if (typeof wanted === 'string') {
    process.stderr.write(`${wanted}\n\n${USAGE}\n`);
    return 2;
  }
  if (wanted.help) {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  const screen = openScreen({ verbose: wanted.verbose, output: process.stderr, results: process.stdout });
  redirectProgress(screen.progress);
  const undoings: Undoing[] = [];
  let code = 0;
  try {
    await runDemo(wanted, { screen, signal, undo: (what, work) => undoings.push({ what, work }) });
  } catch (error) {
    code = signal.aborted ? 130 : 1;
    if (code === 1) screen.line(`✗ ${messageOf(error)}`);
  }
  const well = await screen.task(
    'ending',
    () => undoAll(undoings, screen),
    () => null,
  );
  return well || code !== 0 ? code : 1;
}

/** The requested run, or why the arguments are wrong. */
function argumentsOrReason(): ReturnType<typeof readArguments> | string {
  try {
    return readArguments(process.argv.slice(2));
  } catch (error) {
    return messageOf(error);
  }
}

/** Reverts the steps in reverse order; a failure does not prevent the others. */
async function undoAll(undoings: Undoing[], screen: Screen): Promise<boolean> {
  let well = true;
  for (let one = undoings.pop(); one !== undefined; one = undoings.pop()) {
    const { what, work } = one;
    screen.detail(`ending: ${what}`);
    await work().catch((error: unknown) => {
      well = false;
      screen.line(`✗ ending: ${what}: ${messageOf(error)}`);
    });
  }
  return well;
}
