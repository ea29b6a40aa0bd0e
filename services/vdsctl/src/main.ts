/** Entry point of `npm run vdsctl -- …`, and of `vdsctl` in the images. */
import { vdsctl } from './inbound/vdsctl.ts';

// The reader of a pipe may stop early, as `head` does; that is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  throw error;
});

process.exitCode = await vdsctl(process.argv.slice(2), {
  environment: process.env,
  isTerminal: process.stdout.isTTY,
  out: (text) => void process.stdout.write(`${text}\n`),
  err: (text) => void process.stderr.write(`${text}\n`),
});
