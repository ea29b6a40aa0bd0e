/** Sound whose channels change in mid-track, and sound with more channels than loudspeakers. */
import { readFile, writeFile } from 'node:fs/promises';
import { ffmpeg } from '../../clips.ts';
import { colours, h264Ahead, pictures, renderClip, smallClip, sound } from '../generators/clip.ts';
import type { RecipeContext, Expectation, Recipe } from './recipe.ts';

const one = 'anull';
const two = 'pan=stereo|c0=c0|c1=c0';
const six = 'pan=5.1|FL=c0|FR=c0|FC=0.7*c0|LFE=0.1*c0|BL=0.3*c0|BR=0.3*c0';
const slower = `${two},aresample=32000`;
const alone: Expectation = { mono: 'pan=mono|c0=0.5*c0' };

export const channelRecipes: readonly Recipe[] = [
  { ...recipe('AC-3 of two, six and two channels, in mkv', 'mkv', changing('ac3', two, six, two)), usual: true },
  recipe('AC-3 of six, two and one channels, in mp4', 'mp4', changing('ac3', six, two, one)),
  recipe('Enhanced AC-3 of six, two and six channels, in mkv', 'mkv', changing('eac3', six, two, six)),
  recipe('AC-3 that changes channels and rate, in mkv', 'mkv', changing('ac3', two, slower, six)),
  { ...recipe('MP3 of one channel, two and one, in mp4', 'mp4', changing('mp3', one, two, one)), usual: true },
  recipe('MPEG layer 2 of two channels, one and two, in mkv', 'mkv', changing('mp2', two, one, two)),
  { ...recipe('PCM of ten channels, in mov', 'mov', discrete('pcm_s16le', 0, 10), alone), usual: true },
  recipe('PCM of twelve channels, in mkv', 'mkv', discrete('pcm_s24le', 11, 12), { mono: 'pan=mono|c0=0.5*c11' }),
  recipe('PCM of sixteen channels, in mov', 'mov', discrete('pcm_s16le', 9, 16), { mono: 'pan=mono|c0=0.5*c9' }),
  // Where a film has its low frequencies, a recorder has a microphone.
  recipe('the fourth of six channels alone, in mkv', 'mkv', discrete('pcm_s16le', 3, 6), {
    mono: 'pan=mono|c0=0.5*c3',
  }),
  { ...recipe('a sound field of four channels, Opus, in mkv', 'mkv', soundField, alone), usual: true },
];

function recipe(name: string, file: string, make: Recipe['make'], expect: Expectation = {}): Recipe {
  return { name: `sound of other channels is complete and in its place: ${name}`, file, make, expect };
}

const coders: Readonly<Record<string, readonly string[]>> = {
  mp3: ['-c:a', 'libmp3lame', '-id3v2_version', '0', '-write_xing', '0'],
};

/** A track whose parts differ in channels or rate, as what a broadcaster sends; each lasts 1.152 s. */
function changing(codec: string, ...parts: readonly string[]): Recipe['make'] {
  const length = 1.152;
  return async ({ path, at, random }) => {
    for (const [index, part] of parts.entries()) {
      const [from, to] = [index * length, (index + 1) * length];
      const own = `atrim=${from}:${to},asetpts=PTS-STARTPTS,aformat=channel_layouts=mono,${part}`;
      await ffmpeg(...sound(to), '-af', own, ...(coders[codec] ?? ['-c:a', codec]), at(`part-${index}.${codec}`));
    }
    const bytes = await Promise.all(parts.map((_part, index) => readFile(at(`part-${index}.${codec}`))));
    await writeFile(at('track'), Buffer.concat(bytes));
    await renderClip(at('mute.mkv'), smallClip(random, length * parts.length), h264Ahead(), { mute: true });
    const demuxer = codec === 'mp2' ? 'mp3' : codec;
    await ffmpeg('-i', at('mute.mkv'), '-f', demuxer, '-i', at('track'), '-map', '0', '-map', '1', '-c', 'copy', path);
  };
}

/** So many channels without a layout, of which one sounds. */
function discrete(codec: string, sounding: number, channels: number): Recipe['make'] {
  const values = Array.from({ length: channels }, (_channel, index) => (index === sounding ? 'val(0)' : '0'));
  return (context) => spread(context, `aeval='${values.join('|')}'`, '-c:a', codec);
}

/** Sound from the left, as a spherical video stores it. */
function soundField(context: RecipeContext): Promise<void> {
  const field = "aeval='val(0)|val(0)|0|0':c=ambisonic 1";
  return spread(context, field, '-c:a', 'libopus', '-mapping_family', '2');
}

async function spread({ path, random }: RecipeContext, filter: string, ...sounds: readonly string[]): Promise<void> {
  await ffmpeg(
    ...[...pictures(smallClip(random, 3)), ...sound(3), ...colours(), ...h264Ahead()],
    ...['-af', `aformat=channel_layouts=mono,${filter}`, ...sounds, path],
  );
}
