/** Entry of `npm run vdsctl -- …`, and of the image's `vdsctl`. */
import { vdsctl } from './vdsctl.ts';

process.exitCode = await vdsctl(process.argv.slice(2), {
  environment: process.env,
  out: (text) => void process.stdout.write(`${text}\n`),
  err: (text) => void process.stderr.write(`${text}\n`),
});
