/** The command line of `npm run demo`. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

export const USAGE = `usage: npm run demo [-- <https address of a video> | --file <path of a video>] [--once]
  Without an address or a file the demo makes a clip of 25 s. --once plays it through and ends by itself.`;

export type DemoArguments = {
  /** The source of the video. */
  readonly source: { kind: 'clip' } | { kind: 'file'; path: string } | { kind: 'address'; url: string };
  readonly once: boolean;
  readonly help: boolean;
};

/** Parses the command line. Throws one sentence for an invalid one. */
export function readArguments(args: string[]): DemoArguments {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      file: { type: 'string' },
      once: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const { once, help, file } = values;
  const [address, ...more] = positionals;
  if (more.length > 0) throw new Error(`One address at a time, please: ${positionals.join(' ')}.`);
  if (address !== undefined && file !== undefined) throw new Error('Give an address or --file, not both.');
  if (address !== undefined) return { source: { kind: 'address', url: addressOf(address) }, once, help };
  if (file !== undefined) return { source: { kind: 'file', path: fileOf(file) }, once, help };
  return { source: { kind: 'clip' }, once, help };
}

function addressOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'https:') {
    throw new Error(`'${text}' is no https address; a video of this machine is given with --file <path>.`);
  }
  return text;
}

function fileOf(path: string): string {
  const file = resolve(process.env['INIT_CWD'] ?? '.', path);
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) throw new Error(`There is no file ${file}.`);
  return file;
}
