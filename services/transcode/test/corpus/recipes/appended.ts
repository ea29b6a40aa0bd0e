/** Several recordings in one file, and damage that looks like bytes behind the film. */
import { readFile, writeFile } from 'node:fs/promises';
import { h264Ahead, renderClip, smallClip, vp9, type ClipOptions } from '../generators/clip.ts';
import { elementsOf, ids, readElements, without, writeElements } from '../generators/matroska-elements.ts';
import { readBoxes, writeBoxes } from '../generators/mp4-boxes.ts';
import type { RecipeContext, Rejection } from './recipe.ts';

type Join = (first: Buffer, second: Buffer) => Buffer;

const fragments = { file: ['-movflags', 'frag_keyframe+empty_moov+default_base_moof'] };
const front = { file: ['-movflags', 'faststart'] };
const opus = { sounds: ['-c:a', 'libopus'] };
const live = { ...opus, file: ['-live', '1'] };
const text = Buffer.from('\r\n------WebKitFormBoundary7MA4YWxkTrZu0gW--\r\n');

const behind: Join = (first, second) => Buffer.concat([first, second]);
/** The same recording twice: even its index is the same. */
const twice: Join = (first) => Buffer.concat([first, first]);

/** As a browser records: neither segments nor clusters of known size. */
const unending: Join = (...both) =>
  Buffer.concat(
    both.map((bytes) => {
      const all = without(readElements(bytes), ids.duration);
      for (const one of [...elementsOf(all, ids.segment), ...elementsOf(all, ids.cluster)]) one.unknown = true;
      return writeElements(all);
    }),
  );

/** The clusters of both in the segment of the first. */
const clusters: Join = (first, second) => {
  const [one, other] = [readElements(first), readElements(second)];
  const all = without(one);
  elementsOf(all, ids.segment)[0]?.children?.push(...elementsOf(other, ids.cluster));
  return writeElements(all);
};

/** The fragments of both behind the index of the first. */
const bareFragments: Join = (first, second) =>
  Buffer.concat([
    first.subarray(0, first.lastIndexOf('mfra') - 4),
    writeBoxes(readBoxes(second).filter(({ type }) => type === 'moof' || type === 'mdat')),
  ]);

export const appendedFiles: readonly Rejection[] = [
  { ...appended('two live recordings', 'webm', behind, live), usual: true },
  appended('two recordings of a browser', 'webm', unending, opus),
  appended('two recordings', 'mkv', behind),
  appended('two live recordings', 'mkv', behind, { file: ['-live', '1'] }),
  appended('clusters of two recordings', 'mkv', clusters),
  { ...appended('two fragmented recordings', 'mp4', behind, fragments), usual: true },
  appended('a fragmented recording twice', 'mp4', twice, fragments),
  { ...appended('fragments of two recordings', 'mp4', bareFragments, fragments), usual: true },
  appended('two recordings', 'mp4', behind),
  appended('two recordings with their indices first', 'mov', behind, front),
  { ...cut('index first', 'mp4', front), usual: true },
  cut('index first', 'mov', front),
  { ...cut('fragmented', 'mp4', fragments), usual: true },
  cut('in a cluster', 'mkv', {}),
  { ...unfinished('fragmented', 'mp4', fragments), usual: true },
  unfinished('live', 'mkv', { file: ['-live', '1'] }),
  garbage('text between fragments', 'mp4', 'moof', fragments),
  garbage('text between clusters', 'mkv', '\x1f\x43\xb6\x75', {}),
];

function appended(name: string, file: string, join: Join, options: ClipOptions = {}): Rejection {
  return {
    name: `${name}, one behind the other, in ${file}`,
    file,
    codes: ['source_concatenated'],
    make: async (context) => {
      const first = await render(context, file, 2, options);
      await writeFile(context.path, join(first, await render(context, file, 3, options)));
    },
  };
}

async function render({ at, random }: RecipeContext, file: string, seconds: number, options: ClipOptions) {
  const path = at(`${seconds}.${file}`);
  const coder = file === 'webm' ? vp9 : h264Ahead('keyint=25');
  await renderClip(path, smallClip(random, seconds, { width: 160, height: 90, rate: '25' }), coder, options);
  return readFile(path);
}

/** A film without its last part, and text in its place. */
function cut(name: string, file: string, options: ClipOptions): Rejection {
  return {
    name: `cut off before the end of a form: ${name}, in ${file}`,
    file,
    codes: ['source_corrupt'],
    make: async (context) => {
      const whole = await render(context, file, 3, options);
      await writeFile(context.path, Buffer.concat([whole.subarray(0, Math.floor(whole.length * 0.7)), text]));
    },
  };
}

/** A file of the right size whose second half never arrived. */
function unfinished(name: string, file: string, options: ClipOptions): Rejection {
  return {
    name: `zeros from its middle to its end: ${name}, in ${file}`,
    file,
    codes: ['source_corrupt'],
    make: async (context) => {
      const whole = await render(context, file, 6, options);
      await writeFile(context.path, whole.fill(0, Math.floor(whole.length * 0.6)));
    },
  };
}

/** Text in the middle, before the last element with a signature. */
function garbage(name: string, file: string, signature: string, options: ClipOptions): Rejection {
  return {
    name: `${name}, in ${file}`,
    file,
    codes: ['source_corrupt'],
    make: async (context) => {
      const whole = await render(context, file, 12, options);
      const found = whole.lastIndexOf(signature, undefined, 'latin1') - (signature === 'moof' ? 4 : 0);
      await writeFile(context.path, Buffer.concat([whole.subarray(0, found), text, whole.subarray(found)]));
    },
  };
}
