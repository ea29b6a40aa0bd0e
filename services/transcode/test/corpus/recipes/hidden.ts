/** Packets that show nothing by themselves: pictures that later ones refer to, and commands to show them. */
import { ffmpeg } from '../../clips.ts';
import { bt709, colours, pictures, smallClip, sound, untagged, type Colours } from '../generators/clip.ts';
import { playable, type RecipeContext, type Recipe } from './recipe.ts';

const ahead = ['-auto-alt-ref', '1', '-lag-in-frames', '25', '-deadline', 'good', '-cpu-used', '5', '-b:v', '300k'];
const vp9Ahead = ['-c:v', 'libvpx-vp9', ...ahead];
const vp8Ahead = ['-c:v', 'libvpx', ...ahead];
const aomAhead = ['-c:v', 'libaom-av1', '-cpu-used', '8', '-lag-in-frames', '19', '-auto-alt-ref', '1', '-b:v', '300k'];

export const hiddenRecipes: readonly Recipe[] = [
  playable(
    'hidden pictures in packets of their own are not counted as shown: VP9 in webm',
    'webm',
    (context) => split(context),
    { usual: true },
  ),
  playable(
    'hidden pictures in packets of their own are not counted as shown: VP9 in mkv',
    'mkv',
    (context) => split(context, true),
    { expect: { sound: null } },
  ),
  playable('hidden pictures in packets of their own are not counted as shown: VP9 in mp4', 'mp4', (context) =>
    split(context),
  ),
  playable('hidden pictures within packets are not counted as shown: VP9 in webm', 'webm', (context) =>
    twice(context, vp9Ahead, 'libopus'),
  ),
  playable('hidden pictures within packets are not counted as shown: VP9 in mp4', 'mp4', (context) =>
    twice(context, vp9Ahead, 'aac'),
  ),
  playable(
    'hidden pictures in packets of their own are not counted as shown: VP8 in webm',
    'webm',
    (context) => twice(context, vp8Ahead, 'libvorbis', untagged),
    { expect: { matrix: 'bt601' } },
  ),
  playable(
    'hidden pictures in packets of their own are not counted as shown: VP8 in mkv',
    'mkv',
    (context) => twice(context, vp8Ahead, 'aac', untagged),
    { expect: { matrix: 'bt601' } },
  ),
  playable('hidden pictures within packets are not counted as shown: AV1 of libaom in mkv', 'mkv', (context) =>
    coded(context, aomAhead),
  ),
  playable('hidden pictures within packets are not counted as shown: AV1 of SVT in mp4', 'mp4', (context) =>
    coded(context, ['-c:v', 'libsvtav1', '-preset', '8', '-crf', '30'], 'aac'),
  ),
  playable('hidden pictures within packets are not counted as shown: AV1 of SVT in webm', 'webm', (context) =>
    coded(context, ['-c:v', 'libsvtav1', '-preset', '10', '-crf', '30']),
  ),
];

async function coded({ path, random }: RecipeContext, coder: readonly string[], sounds = 'libopus'): Promise<void> {
  await ffmpeg(...pictures(smallClip(random, 3)), ...sound(3), ...colours(), ...coder, '-c:a', sounds, path);
}

/** Encoded in two passes: only then does the encoder plan ahead and hide pictures. */
async function twice(
  { path, at, random }: RecipeContext,
  coder: readonly string[],
  sounds: string | null,
  kind: Colours = bt709,
): Promise<void> {
  const clip = smallClip(random, 3);
  const passes = (pass: number): string[] => ['-pass', String(pass), '-passlogfile', at('pass')];
  await ffmpeg(...pictures(clip), ...colours(kind), ...coder, ...passes(1), '-f', 'null', '-');
  const [input, coded] = sounds === null ? [[], []] : [sound(3), ['-c:a', sounds]];
  await ffmpeg(...pictures(clip), ...input, ...colours(kind), ...coder, ...passes(2), ...coded, path);
}

/** VP9 whose superframes are split: every hidden picture is a packet of its own. */
async function split(context: RecipeContext, mute = false): Promise<void> {
  const { path, at } = context;
  const sounds = path.endsWith('mp4') ? 'aac' : 'libopus';
  await twice({ ...context, path: at('whole.mkv') }, vp9Ahead, mute ? null : sounds);
  // Without its automatic filter the muxer leaves the packets unchanged.
  const splitter = ['-c', 'copy', '-bsf:v', 'vp9_superframe_split', '-fflags', '-autobsf'];
  await ffmpeg('-i', at('whole.mkv'), ...splitter, path);
}
