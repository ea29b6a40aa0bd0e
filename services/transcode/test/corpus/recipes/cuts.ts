/** Cuts without re-encoding: the file holds more than it shows, and an edit list selects what. */
import { ffmpeg } from '../../clips.ts';
import { h264, h264Ahead, hevc, renderClip, smallClip, type Clip } from '../generators/clip.ts';
import { playable, type RecipeContext, type Recipe } from './recipe.ts';

const longGroups = ['keyint=250', 'min-keyint=250'];
const apple = ['-tag:v', 'hvc1'];
const h264Long = h264Ahead(...longGroups);
const hevcLong = [...hevc(...longGroups, 'bframes=4'), ...apple];
/** A rate at which the number of pictures is known: those from 1.2 s on, of 100. */
const even = { rate: '25' } as const;

export const cutRecipes: readonly Recipe[] = [
  playable(
    'a cut inside a long group of pictures shows exactly what its edit list shows: H.264 in mp4',
    'mp4',
    (context) => cut(context, h264Long, 1.2, { clip: even }),
    { usual: true, expect: { frames: 70 } },
  ),
  playable(
    'a cut inside a long group of pictures shows exactly what its edit list shows: H.264 in mov',
    'mov',
    (context) => cut(context, h264Long, somewhere(context)),
  ),
  playable(
    'a cut inside a long group of pictures shows exactly what its edit list shows: H.265 in mp4',
    'mp4',
    (context) => cut(context, hevcLong, somewhere(context)),
  ),
  playable(
    'a cut inside a long group of pictures shows exactly what its edit list shows: H.265 in mov',
    'mov',
    (context) => cut(context, hevcLong, 1.2, { clip: even }),
    { usual: true, expect: { frames: 70 } },
  ),
  {
    name: 'a cut inside open groups of pictures shows exactly what its edit list shows: H.264 in mp4',
    file: 'mp4',
    make: (context) => cut(context, h264Ahead('open-gop=1', 'keyint=25', 'min-keyint=25'), somewhere(context)),
    // The previous group is missing.
    expect: { decoderErrors: /mmco|reference/ },
  },
  playable(
    'a cut inside open groups of pictures shows exactly what its edit list shows: H.265 in mp4',
    'mp4',
    (context) =>
      cut(context, [...hevc('open-gop=1', 'keyint=25', 'min-keyint=25', 'bframes=4'), ...apple], somewhere(context)),
  ),
  playable(
    'a cut that shows only the last pictures of a long group shows them all: H.264 in mp4',
    'mp4',
    (context) => cut(context, h264Long, 3.6, { clip: even }),
    { usual: true, expect: { frames: 10 } },
  ),
  playable(
    'a cut that shows only the last pictures of a long group shows them all: H.265 in mov',
    'mov',
    (context) => cut(context, hevcLong, 3.6, { clip: even }),
    { expect: { frames: 10 } },
  ),
  playable(
    'a cut of pictures without sound shows exactly what its edit list shows: H.264 in mp4',
    'mp4',
    (context) => cut(context, h264Long, somewhere(context), { mute: true }),
    { expect: { sound: null } },
  ),
  playable(
    'a cut of pictures that refer to earlier ones alone shows exactly what its edit list shows: H.264 in mp4',
    'mp4',
    (context) => cut(context, h264(...longGroups), somewhere(context)),
  ),
  playable(
    'a cut with its index before the pictures shows exactly what its edit list shows: H.264 in mp4',
    'mp4',
    (context) => cut(context, h264Long, somewhere(context), { options: ['-movflags', 'faststart'] }),
  ),
  playable('a cut of AV1 inside a long group shows exactly what its edit list shows: AV1 in mp4', 'mp4', (context) =>
    cut(context, ['-c:v', 'libsvtav1', '-preset', '12', '-crf', '25', '-g', '250'], somewhere(context)),
  ),
  playable('a cut of VP9 inside a long group shows exactly what its edit list shows: VP9 in mp4', 'mp4', (context) =>
    cut(context, ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-g', '250'], somewhere(context)),
  ),
  playable(
    'a cut into Matroska begins at the key picture before and shows all that is there: H.264 in mkv',
    'mkv',
    (context) => cut(context, h264Ahead('keyint=25', 'min-keyint=25'), 1.5, { clip: even }),
  ),
];

function somewhere({ random }: RecipeContext): number {
  return random.whole(70, 250) / 100;
}

/** A clip of 25 pictures a second of which only what follows `from` is kept. */
async function cut(
  { path, at, random }: RecipeContext,
  coder: readonly string[],
  from: number,
  { mute = false, clip = {} as Partial<Clip>, options = [] as readonly string[] } = {},
): Promise<void> {
  const whole = at(`whole.${path.split('.').at(-1)}`);
  await renderClip(whole, smallClip(random, 4, clip), coder, { mute });
  await ffmpeg('-ss', String(from), '-i', whole, '-c', 'copy', ...options, path);
}
