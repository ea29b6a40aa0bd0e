/** Files that begin in the middle of a stream: pictures at their start refer to missing ones. */
import { ffmpeg } from '../../clips.ts';
import { h264Ahead, hevc, renderClip, smallClip } from '../generators/clip.ts';
import { playable, type RecipeContext, type Expectation, type Recipe } from './recipe.ts';

// Groups of 27 do not end with a picture that others refer to.
const open = ['open-gop=1', 'keyint=27', 'min-keyint=27', 'scenecut=0'];
const h264Open = h264Ahead(...open);
const hevcOpen = [...hevc(...open, 'bframes=4'), '-tag:v', 'hvc1'];

const missing = /mmco|reference|Could not find ref|RASL|POC|frame num gap|no frame|Missing/i;
const opening: Expectation = { leading: 4, decoderErrors: missing };
const muted: Expectation = { ...opening, sound: null };

export const openGroupRecipes: readonly Recipe[] = [
  playable(
    'a file that begins with an open group shows what can be decoded: H.264 in mkv',
    'mkv',
    (context) => behind(context, h264Open),
    { expect: opening },
  ),
  playable(
    'a file that begins with an open group shows what can be decoded: H.265 in mkv',
    'mkv',
    (context) => behind(context, hevcOpen),
    { usual: true, expect: opening },
  ),
  playable(
    'a file that begins with an open group shows what can be decoded: H.264 in mp4 without an edit list',
    'mp4',
    (context) => behind(context, h264Open, ['-use_editlist', '0']),
    { expect: opening },
  ),
  playable(
    'a file that begins with an open group shows what can be decoded: H.265 in mov',
    'mov',
    (context) => behind(context, hevcOpen, [], true),
    { expect: muted },
  ),
  playable(
    'a file that begins with an open group shows what can be decoded: H.265 in fragmented mp4',
    'mp4',
    (context) => behind(context, hevcOpen, ['-movflags', 'frag_keyframe+empty_moov+default_base_moof'], true),
    { expect: muted },
  ),
  playable(
    'a file that begins without a key picture shows what can be decoded: H.264 in mkv',
    'mkv',
    (context) => beheaded(context, h264Ahead('keyint=25', 'min-keyint=25')),
    { expect: { ...muted, leading: 25 } },
  ),
  playable(
    'a file that begins without a key picture shows what can be decoded: H.264 in fragmented mp4',
    'mp4',
    (context) =>
      beheaded(context, h264Ahead('keyint=25', 'min-keyint=25'), [
        '-movflags',
        'frag_keyframe+empty_moov+default_base_moof',
      ]),
    { expect: { ...muted, leading: 25 } },
  ),
];

/** Begins with pictures that cannot be decoded: the video begins with the first that can. */
async function beheaded({ path, at, random }: RecipeContext, coder: readonly string[], more: readonly string[] = []) {
  await renderClip(at('whole.mkv'), smallClip(random, 4, { rate: '25' }), coder, { mute: true });
  await ffmpeg('-i', at('whole.mkv'), '-ss', '1.5', '-c', 'copy', '-copyinkf', ...more, path);
}

/** What follows a key picture of an open group, copied into a file of its own. */
async function behind(
  { path, at, random }: RecipeContext,
  coder: readonly string[],
  more: readonly string[] = [],
  mute = false,
) {
  const clip = smallClip(random, 5, { rate: '25' });
  await renderClip(at('whole.mkv'), clip, coder, { mute });
  await ffmpeg('-ss', random.pick(['2.01', '3.01']), '-i', at('whole.mkv'), '-c', 'copy', ...more, path);
}
