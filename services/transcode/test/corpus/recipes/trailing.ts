/** What follows the film is not the film: bytes behind the last box or element, and sizes that reach beyond the end. */
import { readFile, writeFile } from 'node:fs/promises';
import { noise } from '../generators/damage.ts';
import { h264Ahead, renderClip, smallClip, vp9, type ClipOptions } from '../generators/clip.ts';
import { readBoxes, writeBoxes } from '../generators/mp4-boxes.ts';
import { playable, type RecipeContext, type Recipe } from './recipe.ts';

type Tail = (context: RecipeContext) => Buffer;

const boundary: Tail = () => Buffer.from('\r\n------WebKitFormBoundary7MA4YWxkTrZu0gW--\r\n');
const zeros: Tail = () => Buffer.alloc(9_000);
const noisy: Tail = (context) => noise(context, 20_000);
const phone: Tail = () => Buffer.from(`Camera_Info:${'model;'.repeat(300)}\x00\x00\x04\x08SEFT`, 'latin1');

const fragments = { file: ['-movflags', 'frag_keyframe+empty_moov+default_base_moof'] };
const front = { file: ['-movflags', 'faststart'] };
const live = { file: ['-live', '1'], sounds: ['-c:a', 'libopus'] };

export const trailingRecipes: readonly Recipe[] = [
  { ...recipe('the end of a form', 'mp4', boundary), usual: true },
  recipe('the end of a form', 'mp4', boundary, front),
  { ...recipe('the end of a form, fragmented', 'mp4', boundary, fragments), usual: true },
  { ...recipe('the end of a form', 'mkv', boundary), usual: true },
  recipe('the end of a form, live', 'webm', boundary, live),
  recipe('zeros', 'mov', zeros),
  { ...recipe('zeros, live', 'webm', zeros, live), usual: true },
  recipe('zeros', 'mkv', zeros),
  recipe('zeros, fragmented', 'mp4', zeros, fragments),
  recipe('noise', 'mp4', noisy, front),
  recipe('noise, fragmented', 'mp4', noisy, fragments),
  recipe('noise', 'mkv', noisy),
  recipe("a phone's notes", 'mp4', phone),
  recipe("a phone's notes", 'mov', phone, front),
  recipe("a phone's notes, fragmented", 'mp4', phone, fragments),
  playable(
    'a box of pictures whose size reaches beyond the end plays whole where all pictures are there: mp4',
    'mp4',
    tooLarge,
    { expect: { warning: 'trailing_bytes' } },
  ),
  playable('an index repeated between fragments does not begin another recording: mp4', 'mp4', repeatedIndex, {
    usual: true,
  }),
];

function recipe(what: string, file: string, tail: Tail, options: ClipOptions = {}): Recipe {
  return {
    name: `bytes behind the film are ignored: ${what}, in ${file}${options === front ? ' with its index first' : ''}`,
    file,
    make: async (context) => {
      const { at, path, random } = context;
      const coder = file === 'webm' ? vp9 : h264Ahead('keyint=25');
      await renderClip(at(`good.${file}`), smallClip(random, 2), coder, options);
      await writeFile(path, Buffer.concat([await readFile(at(`good.${file}`)), tail(context)]));
    },
    expect: { warning: 'trailing_bytes', decoderErrors: /EBML number|Truncating packet|invalid as first byte/ },
  };
}

async function tooLarge({ at, path, random }: RecipeContext): Promise<void> {
  await renderClip(at('good.mp4'), smallClip(random, 2), h264Ahead(), front);
  const bytes = await readFile(at('good.mp4'));
  const box = bytes.lastIndexOf('mdat') - 4;
  bytes.writeUInt32BE(bytes.readUInt32BE(box) + 5_000, box);
  await writeFile(path, bytes);
}

/** Packagers that begin every segment with the whole header. */
async function repeatedIndex({ at, path, random }: RecipeContext): Promise<void> {
  await renderClip(at('good.mp4'), smallClip(random, 3), h264Ahead('keyint=25'), fragments);
  const all = readBoxes(await readFile(at('good.mp4')));
  const header = all.filter(({ type }) => type === 'ftyp' || type === 'moov');
  const last = all.findLastIndex(({ type }) => type === 'moof');
  await writeFile(path, writeBoxes([...all.slice(0, last), ...header, ...all.slice(last)]));
}
