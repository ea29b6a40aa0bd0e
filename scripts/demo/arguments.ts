/** The command line of `npm run demo`. */
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { components } from '@vds/proto/generated/openapi.ts';
import { parse } from 'yaml';

export const USAGE = `usage: npm run demo [-- <https address of a video> | --file <path of a video>] [options]
  Without an address or a file the demo makes three short clips.
  --title <text>     of your video; without it the title is made from the file's name
  --sport <name>     of your video, such as tennis; without it the video has none
  --language <code>  that is spoken in your video, such as es; without it en
  --speech <url>     transcribes with a server of OpenAI's contract, such as http://127.0.0.1:8000/v1
  --speech-model <name>  of that server, such as Systran/faster-whisper-small; without it whisper-1
  --translation <url>  translates with a LibreTranslate server, such as http://127.0.0.1:5000
  --once             checks playlists, captions, search, feed and recommendations, and ends by itself
  --verbose          prints every step`;

export type Sport = components['schemas']['Sport'];

/** What the person says about their own video. */
export type Description = { readonly title?: string; readonly sport?: Sport; readonly language?: string };

export type DemoArguments = {
  /** The source of the video. */
  readonly source: { kind: 'clips' } | { kind: 'file'; path: string } | { kind: 'address'; url: string };
  readonly description: Description;
  /** Settings of captions for engines of one's own; none without them. */
  readonly engines: Readonly<Record<string, string>>;
  readonly once: boolean;
  readonly verbose: boolean;
  readonly help: boolean;
};

/** Parses the command line. Throws one sentence for an invalid one. */
export function readArguments(args: string[]): DemoArguments {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      file: { type: 'string' },
      title: { type: 'string' },
      sport: { type: 'string' },
      language: { type: 'string' },
      speech: { type: 'string' },
      'speech-model': { type: 'string' },
      translation: { type: 'string' },
      once: { type: 'boolean', default: false },
      verbose: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const { once, verbose, help, file, title, sport, language } = values;
  const source = sourceOf(positionals, file);
  const description = {
    ...(title !== undefined && { title: titleOf(title) }),
    ...(sport !== undefined && { sport: sportOf(sport) }),
    ...(language !== undefined && { language: languageOf(language) }),
  };
  if (source.kind === 'clips' && Object.keys(description).length > 0)
    throw new Error('--title, --sport and --language describe your own video: give its address, or --file <path>.');
  const engines = enginesOf(values.speech, values['speech-model'], values.translation);
  return { source, description, engines, once, verbose, help };
}

function sourceOf([address, ...more]: string[], file: string | undefined): DemoArguments['source'] {
  if (more.length > 0) throw new Error(`One address at a time, please: ${[address, ...more].join(' ')}.`);
  if (address !== undefined && file !== undefined) throw new Error('Give an address or --file, not both.');
  if (address !== undefined) return { kind: 'address', url: addressOf(address) };
  if (file !== undefined) return { kind: 'file', path: fileOf(file) };
  return { kind: 'clips' };
}

function addressOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'https:') {
    throw new Error(`'${text}' is not an https address; for a video of this machine use --file <path>.`);
  }
  return text;
}

/** The model is always named: else the server would be sent the folder of the embedded engine's. */
function enginesOf(
  speech: string | undefined,
  model: string | undefined,
  translation: string | undefined,
): DemoArguments['engines'] {
  if (model !== undefined && speech === undefined)
    throw new Error('--speech-model is one of a server: give --speech too.');
  if (model?.trim() === '') throw new Error('--speech-model is the name of a model.');
  return {
    ...(speech !== undefined && {
      SPEECH_ENGINE: 'openai',
      SPEECH_URL: engineOf('--speech', speech),
      SPEECH_MODEL: model ?? 'whisper-1',
    }),
    ...(translation !== undefined && {
      TRANSLATION_ENGINE: 'libretranslate',
      TRANSLATION_URL: engineOf('--translation', translation),
    }),
  };
}

/** The address of an engine as captions takes it. */
function engineOf(option: string, text: string): string {
  if (/^https?:\/\/./.test(text) && URL.canParse(text)) return text;
  throw new Error(`${option} '${text}' is not an http or https address.`);
}

function fileOf(path: string): string {
  const file = resolve(process.env['INIT_CWD'] ?? '.', path);
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) throw new Error(`There is no file ${file}.`);
  return file;
}

function titleOf(text: string): string {
  if (text.trim() === '' || [...text].length > 200) throw new Error('--title is 1 to 200 characters of text.');
  return text;
}

/** One of the contract's sports. */
function sportOf(text: string): Sport {
  const contract = readFileSync(fileURLToPath(import.meta.resolve('@vds/proto/openapi.yaml')), 'utf8');
  const sports = (parse(contract) as { components: { schemas: { Sport: { enum: Sport[] } } } }).components.schemas.Sport
    .enum;
  const sport = sports.find((one) => one === text);
  if (sport === undefined) throw new Error(`--sport '${text}' is not one of ${sports.join(', ')}.`);
  return sport;
}

function languageOf(text: string): string {
  if (!/^[a-z]{2}$/.test(text))
    throw new Error(`--language '${text}' must be the two lower-case letters of ISO 639-1, such as en or es.`);
  return text;
}
