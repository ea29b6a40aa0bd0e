/**
 * The main job on this machine: servers, services, a partner with a key, and a video from its address to a player page.
 *   npm run demo [-- <https address of a video> | --file <path>] [--once]
 * Progress goes to stderr; the status record and the addresses go to stdout. The exit code is 0 only if everything
 * worked.
 */
import { readArguments, USAGE } from './demo/arguments.ts';
import { runDemo } from './demo/run-demo.ts';
import { print, step } from '@vds/testkit/servers/progress';

type Undoing = { what: string; work: () => Promise<unknown> };

try {
  process.exitCode = await main();
} catch (error) {
  print(`${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 2;
}

async function main(): Promise<number> {
  const wanted = readArguments(process.argv.slice(2));
  if (wanted.help) {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  const interrupted = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => interrupted.abort());
  const undoings: Undoing[] = [];
  let code = 0;
  try {
    await runDemo(wanted, interrupted.signal, (what, work) => undoings.push({ what, work }));
  } catch (error) {
    code = interrupted.signal.aborted ? 130 : 1;
    if (code === 1) print(`✗ ${error instanceof Error ? error.message : String(error)}`);
  }
  const well = await undoAll(undoings);
  return well || code !== 0 ? code : 1;
}

/** Reverts the steps in reverse order; a failure does not prevent the others. */
async function undoAll(undoings: Undoing[]): Promise<boolean> {
  let well = true;
  for (let one = undoings.pop(); one !== undefined; one = undoings.pop()) {
    const { what, work } = one;
    await step(`ending: ${what}`, work).catch((error: unknown) => {
      well = false;
      print(`✗ ending: ${what}: ${String(error)}`);
    });
  }
  return well;
}
