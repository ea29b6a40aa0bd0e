/** Files with more than a track of pictures and a track of sound, in other orders, of other lengths. */
import { writeFile } from 'node:fs/promises';
import { ffmpeg } from '../../clips.ts';
import { colours, h264Ahead, pictures, renderClip, smallClip, sound, vp9 } from '../generators/clip.ts';
import { playable, type RecipeContext, type Recipe } from './recipe.ts';

const subtitles = [1, 3, 6].map((at, index) => `${index + 1}\n00:00:0${at},000 --> 00:00:0${at + 2},500\nword ${at}\n`);

const second = ['-disposition:a:0', '0', '-disposition:a:1', 'default'];
const usual = { usual: true } as const;

export const trackRecipes: readonly Recipe[] = [
  playable(
    'subtitles that last longer than the pictures do not lengthen the video: text in mp4',
    'mp4',
    (context) => subtitled(context, h264Ahead(), 'aac', 'mov_text'),
    usual,
  ),
  playable('subtitles that last longer than the pictures do not lengthen the video: SubRip in mkv', 'mkv', (context) =>
    subtitled(context, h264Ahead(), 'aac', 'srt'),
  ),
  playable(
    'subtitles that last longer than the pictures do not lengthen the video: WebVTT in webm',
    'webm',
    (context) => subtitled(context, vp9, 'libopus', 'webvtt'),
  ),
  playable('a second sound track that lasts longer is not heard: mp4', 'mp4', (context) => twoSounds(context, 0, [])),
  playable('a second sound track that lasts longer is not heard: mkv', 'mkv', (context) => twoSounds(context, 0, [])),
  playable('the second sound track is heard where it is the default: mp4', 'mp4', (b) => twoSounds(b, 1, second), {
    expect: { sound: 'a:1' },
  }),
  playable('the second sound track is heard where it is the default: mkv', 'mkv', (b) => twoSounds(b, 1, second), {
    expect: { sound: 'a:1' },
  }),
  playable('a track of time codes changes nothing: mov', 'mov', ({ path, random }) =>
    renderClip(path, smallClip(random, 2, { rate: '25' }), h264Ahead(), { file: ['-timecode', '01:00:00:00'] }),
  ),
  playable('a track of time codes changes nothing: mp4', 'mp4', ({ path, random }) =>
    renderClip(path, smallClip(random, 2, { rate: '25' }), h264Ahead(), { file: ['-timecode', '10:00:00:00'] }),
  ),
  playable('chapters that reach beyond the pictures do not lengthen the video: mp4', 'mp4', withChapters),
  playable('chapters that reach beyond the pictures do not lengthen the video: mkv', 'mkv', withChapters),
  playable('a cover before the pictures is not what is shown: mp4', 'mp4', withCover, usual),
  playable('an attached cover is not what is shown: mkv', 'mkv', withCover),
  playable('a tag of nine megabytes changes nothing: mkv', 'mkv', withLargeTag),
  playable('an attached font changes nothing: mkv', 'mkv', withFont),
  playable('a shorter second picture track is not shown: mp4', 'mp4', twoPictureTracks),
  playable('a shorter second picture track is not shown: mkv', 'mkv', twoPictureTracks),
  playable('sound before pictures in the list of tracks changes nothing: mp4', 'mp4', (context) =>
    ordered(context, ['0:a', '0:v']),
  ),
  playable('subtitles before all else in the list of tracks change nothing: mkv', 'mkv', (context) =>
    ordered(context, ['1:s', '0:a', '0:v'], true),
  ),
];

/** A clip of two seconds, and a subtitle track that lasts four times as long. */
async function subtitled({ path, at, random }: RecipeContext, coder: readonly string[], sounds: string, words: string) {
  await writeFile(at('words.srt'), subtitles.join('\n'));
  const clip = smallClip(random, 2);
  await ffmpeg(
    ...[...pictures(clip), ...sound(2), '-i', at('words.srt'), '-map', '0', '-map', '1', '-map', '2'],
    ...[...colours(), ...coder, '-c:a', sounds, '-c:s', words, path],
  );
}

/** Two sound tracks: `main` is the one to encode. */
async function twoSounds({ path, random }: RecipeContext, main: 0 | 1, more: readonly string[]): Promise<void> {
  const lengths = main === 0 ? [2, 5] : [5, 2];
  await ffmpeg(
    ...[...pictures(smallClip(random, 2)), ...sound(lengths[0] ?? 2, 0), ...sound(lengths[1] ?? 2, 1)],
    ...['-map', '0', '-map', '1', '-map', '2', ...colours(), ...h264Ahead(), '-c:a', 'aac', ...more, path],
  );
}

/** Tracks of a clip in another order. */
async function ordered({ path, at, random }: RecipeContext, order: readonly string[], words = false): Promise<void> {
  await writeFile(at('words.srt'), subtitles[0] ?? '');
  await renderClip(at('whole.mkv'), smallClip(random, 3), h264Ahead());
  const maps = order.flatMap((map) => ['-map', map]);
  const input = words ? ['-i', at('words.srt')] : [];
  await ffmpeg('-i', at('whole.mkv'), ...input, ...maps, '-c', 'copy', path);
}

async function withChapters({ path, at, random }: RecipeContext): Promise<void> {
  const chapter = (start: number, end: number): string =>
    `[CHAPTER]\nTIMEBASE=1/1000\nSTART=${start}\nEND=${end}\ntitle=Part at ${start}\n`;
  await writeFile(at('chapters.txt'), `;FFMETADATA1\n${chapter(0, 1_000)}${chapter(1_000, 9_000)}`);
  await renderClip(at('whole.mkv'), smallClip(random, 2), h264Ahead());
  await ffmpeg('-i', at('whole.mkv'), '-i', at('chapters.txt'), '-map_chapters', '1', '-c', 'copy', path);
}

/** A clip with a picture of the same colours as its cover. */
async function withCover({ path, at, random }: RecipeContext): Promise<void> {
  await renderClip(at('whole.mkv'), smallClip(random, 2), h264Ahead());
  await ffmpeg('-f', 'lavfi', '-i', 'color=blue:s=64x64:d=0.04', '-frames:v', '1', at('cover.png'));
  if (path.endsWith('mkv')) {
    const attached = ['-attach', at('cover.png'), '-metadata:s:t', 'mimetype=image/png'];
    return ffmpeg('-i', at('whole.mkv'), '-c', 'copy', ...attached, '-metadata:s:t', 'filename=cover.png', path);
  }
  const maps = ['-map', '1', '-map', '0', '-c', 'copy', '-disposition:v:0', 'attached_pic'];
  return ffmpeg('-i', at('whole.mkv'), '-i', at('cover.png'), ...maps, path);
}

async function withFont({ path, at, random }: RecipeContext): Promise<void> {
  await renderClip(at('whole.mkv'), smallClip(random, 2), h264Ahead());
  await writeFile(at('type.ttf'), Buffer.alloc(20_000, 7));
  const font = ['-attach', at('type.ttf'), '-metadata:s:t', 'mimetype=application/x-truetype-font'];
  await ffmpeg('-i', at('whole.mkv'), '-c', 'copy', ...font, path);
}

/** An editor's notes; programs' output is not read to its end where it is that large. */
async function withLargeTag({ path, at, random }: RecipeContext): Promise<void> {
  await writeFile(at('tags.txt'), `;FFMETADATA1\ncomment=${'notes '.repeat(1_600_000)}\n`);
  await renderClip(at('whole.mkv'), smallClip(random, 2), h264Ahead());
  await ffmpeg('-i', at('whole.mkv'), '-i', at('tags.txt'), '-map_metadata', '1', '-c', 'copy', path);
}

/** The clip, and a shorter one of another size after it. */
async function twoPictureTracks({ path, random }: RecipeContext): Promise<void> {
  await ffmpeg(
    ...[...pictures(smallClip(random, 3)), ...sound(3), ...pictures({ width: 64, height: 36, rate: '25', seconds: 1 })],
    ...['-map', '0', '-map', '1', '-map', '2', ...colours(), ...h264Ahead(), '-c:a', 'aac'],
    ...['-disposition:v:0', 'default', '-disposition:v:1', '0', path],
  );
}
