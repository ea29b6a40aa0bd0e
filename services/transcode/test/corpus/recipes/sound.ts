/** Sound of every kind and length. */
import { ffmpeg } from '../../clips.ts';
import { colours, h264Ahead, pictures, renderClip, smallClip, sound, vp9 } from '../generators/clip.ts';
import { playable, type RecipeContext, type Expectation, type Recipe } from './recipe.ts';

const mono = 'mono|c0=c0';
const stereo = 'stereo|c0=c0|c1=c0';
const surround = '5.1|FL=c0|FR=c0|FC=0.7*c0|LFE=0.1*c0|BL=0.3*c0|BR=0.3*c0';
const aac = ['-c:a', 'aac'];

export const soundRecipes: readonly Recipe[] = [
  recipe('ends a second before the pictures', 'mp4', lasting(2)),
  recipe('ends a second behind the pictures', 'mp4', lasting(4), true),
  recipe('ends a second before the pictures', 'mkv', lasting(2)),
  recipe('ends a second behind the pictures', 'mov', lasting(4)),
  ended('silence follows sound that ends early', 'mp4', 14, 3, { seconds: 14 }, true),
  ended('silence follows sound that ends early', 'mkv', 14, 3, { seconds: 14 }),
  ended(
    'the last picture is shown while sound lasts longer',
    'mp4',
    5,
    20,
    { seconds: 20, repeats: [6, 12, 18] },
    true,
  ),
  ended('the last picture is shown while sound lasts longer', 'mkv', 5, 20, { seconds: 20, repeats: [6, 12, 18] }),
  ended(
    'the last one of a hundred and twenty pictures a second is shown while sound lasts longer',
    'mp4',
    1,
    14,
    { seconds: 14, repeats: [6, 12], thinned: true },
    true,
  ),
  recipe('begins a second late', 'mkv', (context) => offset(context, 0, 1)),
  recipe('begins a second early', 'mkv', (context) => offset(context, 1, 0)),
  recipe('begins 70 ms early', 'mkv', (context) => offset(context, 0.07, 0)),
  recipe('begins 160 ms early', 'mp4', (context) => offset(context, 0.16, 0)),
  recipe('is not there for 0.8 s', 'mkv', gap, true),
  recipe('is not there for 0.8 s', 'mp4', gap),
  playable('a track of sound without a packet makes a mute video: mkv', 'mkv', empty, {
    usual: true,
    expect: { sound: null },
  }),
  playable('a track of sound without a packet makes a mute video: mp4', 'mp4', empty, { expect: { sound: null } }),
  // The last frame holds more than the file declares.
  recipe('one channel at 8 kHz, AAC', 'mp4', (context) => recorded(context, 8_000, mono, aac), undefined, {
    seconds: 3,
  }),
  recipe('two channels at 96 kHz, AAC', 'mp4', (context) => recorded(context, 96_000, stereo, aac)),
  recipe('two channels at 44.1 kHz, AAC', 'mov', (context) => recorded(context, 44_100, stereo, aac)),
  recipe('six channels, AAC', 'mp4', (context) => recorded(context, 48_000, surround, aac)),
  recipe('six channels, AC-3', 'mkv', (context) => recorded(context, 48_000, surround, ['-c:a', 'ac3'])),
  recipe('PCM of 16 bits', 'mov', coded('mov', '-c:a', 'pcm_s16le')),
  recipe('PCM of 24 bits', 'mkv', coded('mkv', '-c:a', 'pcm_s24le')),
  recipe('Apple lossless', 'mp4', coded('mp4', '-c:a', 'alac')),
  recipe('FLAC', 'mkv', coded('mkv', '-c:a', 'flac')),
  recipe('FLAC', 'mp4', coded('mp4', '-c:a', 'flac', '-strict', '-2')),
  recipe('Opus', 'mp4', coded('mp4', '-c:a', 'libopus')),
  recipe('Opus', 'webm', coded('webm', '-c:a', 'libopus')),
  recipe('Vorbis', 'webm', coded('webm', '-c:a', 'libvorbis')),
  recipe('AC-3', 'mp4', coded('mp4', '-c:a', 'ac3')),
  recipe('Enhanced AC-3', 'mp4', coded('mp4', '-c:a', 'eac3')),
  recipe('MP3', 'mp4', coded('mp4', '-c:a', 'libmp3lame')),
  recipe('MP3', 'mkv', coded('mkv', '-c:a', 'libmp3lame')),
  recipe('MPEG layer 2', 'mkv', coded('mkv', '-c:a', 'mp2')),
  recipe('A-law', 'mov', coded('mov', '-c:a', 'pcm_alaw', '-ar', '8000', '-ac', '1')),
];

function recipe(name: string, file: string, make: Recipe['make'], usual?: true, expect: Expectation = {}): Recipe {
  return {
    name: `sound is complete and in its place: ${name}, in ${file}`,
    file,
    make,
    expect,
    ...(usual ? { usual } : {}),
  };
}

/** Three seconds of pictures, with sound encoded in some way. */
function coded(file: string, ...sounds: readonly string[]): Recipe['make'] {
  const coder = file === 'webm' ? vp9 : h264Ahead();
  return ({ path, random }) => renderClip(path, smallClip(random, 3), coder, { sounds });
}

/** Pictures and sound of different lengths. */
function ended(what: string, file: string, seconds: number, tone: number, expect: Expectation, usual?: true): Recipe {
  // A picture that is held has to be told from the one before in the smallest rung, too: not too many a second.
  const rate = { rate: expect.thinned ? '120' : '10' };
  return {
    name: `every rendition ends with the title, ${what}: ${file}`,
    file,
    make: ({ path, random }) => renderClip(path, smallClip(random, seconds, rate), h264Ahead(), { tone }),
    expect,
    ...(usual ? { usual } : {}),
  };
}

/** Three seconds of pictures, and so many of sound. */
function lasting(tone: number): Recipe['make'] {
  return ({ path, random }) => renderClip(path, smallClip(random, 3), h264Ahead(), { tone });
}

/** Sound that begins before or after the pictures. */
async function offset({ path, at, random }: RecipeContext, pictureDelay: number, soundDelay: number): Promise<void> {
  await renderClip(at('whole.mkv'), smallClip(random, 3), h264Ahead());
  const later = (seconds: number): string[] => ['-itsoffset', String(seconds), '-i', at('whole.mkv')];
  await ffmpeg(...later(pictureDelay), ...later(soundDelay), '-map', '0:v', '-map', '1:a', '-c', 'copy', path);
}

/** Packets of sound between two moments are missing. */
async function gap({ path, at, random }: RecipeContext): Promise<void> {
  const from = random.whole(8, 14) / 10;
  await renderClip(at('whole.mkv'), smallClip(random, 4), h264Ahead());
  const drop = `noise=drop='between(pts*tb,${from},${from + 0.8})'`;
  await ffmpeg('-i', at('whole.mkv'), '-c', 'copy', '-bsf:a', drop, path);
}

/** A track of sound without one packet. */
async function empty({ path, at, random }: RecipeContext): Promise<void> {
  await renderClip(at('whole.mkv'), smallClip(random, 2), h264Ahead());
  await ffmpeg('-i', at('whole.mkv'), '-c', 'copy', '-bsf:a', "noise=drop='1'", path);
}

async function recorded({ path, random }: RecipeContext, rate: number, channels: string, sounds: readonly string[]) {
  await ffmpeg(
    ...[...pictures(smallClip(random, 3)), ...sound(3, 0, rate), ...colours(), ...h264Ahead()],
    ...['-af', `aformat=channel_layouts=mono,pan=${channels}`, ...sounds, path],
  );
}
