/** The demo's own videos: moving pictures with drawn text, and speech. */
import { rm, writeFile } from 'node:fs/promises';
import { run } from '../servers/command.ts';
import { CLIP_SECONDS, demoCaptions, demoClipGraph, RADIO } from './demo-clip-recipe.ts';
import { cached, ffmpeg, ffmpegPath } from './render.ts';
import type { ClipRecipe } from './short-clip-recipes.ts';
import { speak } from './speak.ts';

const VIDEO = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '20', '-pix_fmt', 'yuv420p', '-g', '60'];
const AUDIO = ['-c:a', 'aac', '-b:a', '128k'];
const TRACKS = ['-map', '[picture]', '-map', '[sound]', ...VIDEO, ...AUDIO];
const FILE = ['-movflags', '+faststart', '-fflags', '+bitexact'];

/** Path of the demo clip (720p30, H.264 and AAC in mp4, 25 s); made on the first call, in about 10 s on two cores. */
export async function makeClip(): Promise<string> {
  const graph = demoClipGraph();
  const encoding = [...VIDEO, ...AUDIO, '-t', String(CLIP_SECONDS), ...FILE];
  return cached('demo-clip', 'mp4', [graph, encoding], async (path) => {
    await requireFilters();
    await ffmpeg(['-filter_complex', graph, ...TRACKS, '-t', String(CLIP_SECONDS), ...FILE, path]);
  });
}

/** Path of the same clip with what partners send beside it: a second commentator, and captions in German. */
export async function makeClipWithTracks(): Promise<string> {
  const clip = await makeClip();
  const facts = [
    '-metadata:s:a:0',
    'language=eng',
    '-metadata:s:a:1',
    'language=eng',
    '-metadata:s:s:0',
    'language=deu',
  ];
  const named = ['-metadata:s:a:1', 'handler_name=Radio', '-disposition:a:1', 'comment'];
  const maps = [
    '-map',
    '0:v',
    '-map',
    '0:a',
    '-map',
    '1:a',
    '-map',
    '2:s',
    '-c',
    'copy',
    '-c:a:1',
    'aac',
    '-c:s',
    'mov_text',
  ];
  return cached('demo-clip-with-tracks', 'mp4', [clip, RADIO, demoCaptions(), facts, named, maps], async (path) => {
    const captions = `${path}.srt`;
    await writeFile(captions, demoCaptions());
    try {
      await ffmpeg([
        '-i',
        clip,
        '-f',
        'lavfi',
        '-i',
        RADIO,
        '-i',
        captions,
        ...maps,
        ...facts,
        ...named,
        ...FILE,
        path,
      ]);
    } finally {
      await rm(captions, { force: true });
    }
  });
}

/** Path of three minutes of small pictures without sound (360p30, H.264 in mp4), more than a player buffers; about 10 s. */
export async function makeLongClip(): Promise<string> {
  const arguments_ = ['-f', 'lavfi', '-i', 'testsrc2=size=640x360:rate=30', '-t', '180', '-c:v', 'libx264'];
  const encoding = ['-preset', 'ultrafast', '-crf', '30', '-pix_fmt', 'yuv420p', '-g', '60', ...FILE];
  return cached('long-clip', 'mp4', [arguments_, encoding], (path) => ffmpeg([...arguments_, ...encoding, path]));
}

/**
 * Path of a clip with synthesised speech (480p30, H.264 and AAC in mp4); made on the first call, in about 2 s on two
 * cores. Null if no voice for its language is installed.
 */
export async function makeShortClip({ name, seconds, language, spoken, picture }: ClipRecipe): Promise<string | null> {
  await requireFilters();
  const files: string[] = [];
  for (const [, sentence] of spoken) {
    const file = await speak(language, sentence);
    if (file === null) return null;
    files.push(file);
  }
  const sound = [
    ...spoken.map(([second], index) => `[${index}:a]aresample=48000,adelay=${Math.round(second * 1_000)}[say${index}]`),
    `${spoken.map((_, index) => `[say${index}]`).join('')}amix=inputs=${spoken.length}:normalize=0:duration=longest,` +
      `apad,atrim=0:${seconds},pan=stereo|c0=c0|c1=c0,asetnsamples=1024:p=0[sound]`,
  ].join(';');
  const graph = `${picture};${sound}`;
  const inputs = files.flatMap((file) => ['-i', file]);
  return cached(name, 'mp4', [files, graph, TRACKS, FILE], (path) =>
    ffmpeg([...inputs, '-filter_complex', graph, ...TRACKS, '-t', String(seconds), ...FILE, path]),
  );
}

/** Throws one sentence if this ffmpeg lacks what the clips need. */
async function requireFilters(): Promise<void> {
  const lacking = await missing();
  if (lacking.length === 0) return;
  throw new Error(
    `The demo clip cannot be made: ${ffmpegPath()} lacks ${lacking.join(', ')} (Debian's ffmpeg has them all); give the address of a video, or --file <path>.`,
  );
}

/** Features the clips need that this ffmpeg lacks. */
async function missing(): Promise<string[]> {
  // An ffmpeg that does not even start counts as missing.
  const filters = await run(ffmpegPath(), ['-hide_banner', '-filters']).catch(() => null);
  if (filters === null) return ['ffmpeg itself'];
  return ['flite', 'drawtext', 'life', 'gradients'].filter((name) => !new RegExp(`^ ... ${name} `, 'm').test(filters));
}
