/** Files that the service must reject, each with the failure codes (proto/failures.ts) that it may end with. */
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import type { FailureCode } from '@vds/proto/failures';
import { cached, ffmpeg } from './render.ts';

export type BadSample = { readonly name: string; readonly path: string; readonly codes: readonly FailureCode[] };

type Recipe = {
  /** The file name in the partner's URL. */
  readonly name: string;
  readonly codes: readonly FailureCode[];
  /** ffmpeg's arguments without the output, or the bytes themselves. */
  readonly args?: readonly string[];
  readonly text?: string;
  /** Truncates the file to this share. */
  readonly share?: number;
};

const PICTURE = ['-f', 'lavfi', '-i', 'testsrc2=s=640x360:r=25:d=3,format=yuv420p'];
const SOUND = ['-f', 'lavfi', '-i', "aevalsrc='0.1*sin(440*2*PI*t)':s=48000:d=3"];
const X264 = ['-c:v', 'libx264', '-preset', 'veryfast'];
const AAC = ['-c:a', 'aac', '-b:a', '96k'];
const COVER = ['-f', 'lavfi', '-i', 'color=c=teal:s=300x300:d=0.04'];

const ENCRYPTION =
  '-encryption_scheme cenc-aes-ctr -encryption_key 76a6c65c5ea762046bd749a2e632ccbb -encryption_kid a7e61c373e219033c21091fa607bf3b8'.split(
    ' ',
  );

const HTML =
  '<!doctype html>\n<html><head><title>Download</title></head><body><p>Your download starts soon.</p></body></html>\n';
const PLAYLIST =
  '#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:6\n#EXTINF:6.0,\nhttps://clips.test/segment-0.ts\n#EXT-X-ENDLIST\n';
const CONCAT = "ffconcat version 1.0\nfile '/etc/passwd'\n";

const recipes: readonly Recipe[] = [
  { name: 'empty.mp4', codes: ['source_empty'], text: '' },
  { name: 'text.mp4', codes: ['source_not_video'], text: 'This is not a video.\n'.repeat(200) },
  { name: 'page.mp4', codes: ['source_not_video'], text: HTML },
  { name: 'playlist.mp4', codes: ['source_not_video'], text: PLAYLIST },
  { name: 'concat.mp4', codes: ['source_not_video'], text: CONCAT },
  { name: 'audio-only.mp4', codes: ['source_no_video'], args: [...SOUND, ...AAC] },
  {
    name: 'cover-art.mp4',
    codes: ['source_no_video'],
    args: [
      ...SOUND,
      ...COVER,
      '-map',
      '0',
      '-map',
      '1',
      ...AAC,
      '-c:v',
      'mjpeg',
      '-frames:v',
      '1',
      '-disposition:v:0',
      'attached_pic',
    ],
  },
  {
    name: 'half.mp4',
    codes: ['source_corrupt'],
    args: [...PICTURE, ...SOUND, ...X264, ...AAC, '-movflags', '+faststart'],
    share: 0.5,
  },
  // The index is at the end of this one, so that half of the file has none.
  {
    name: 'half-without-index.mp4',
    codes: ['source_corrupt', 'source_not_video'],
    args: [...PICTURE, ...SOUND, ...X264, ...AAC],
    share: 0.5,
  },
  { name: 'half.mkv', codes: ['source_corrupt'], args: [...PICTURE, ...SOUND, ...X264, ...AAC], share: 0.5 },
  { name: 'old-codec.mp4', codes: ['codec_unsupported'], args: [...PICTURE, '-c:v', 'mpeg4'] },
  { name: 'old-container.avi', codes: ['container_unsupported'], args: [...PICTURE, ...X264] },
  { name: 'one-frame.mp4', codes: ['source_too_short'], args: [...PICTURE, ...X264, '-frames:v', '1'] },
  {
    name: 'encrypted.mp4',
    codes: ['source_encrypted'],
    args: [...PICTURE, ...X264, ...ENCRYPTION],
  },
];

/** Makes every bad sample (about 2 s), or those named. */
export async function makeBadSamples(names?: readonly string[]): Promise<readonly BadSample[]> {
  const made: BadSample[] = [];
  for (const recipe of recipes) if (names === undefined || names.includes(recipe.name)) made.push(await make(recipe));
  return made;
}

async function make({ name, args, text, share, codes }: Recipe): Promise<BadSample> {
  const [stem = name, extension = 'mp4'] = name.split('.');
  const path = await cached(`bad-${stem}`, extension, [args, text, share], async (file) => {
    if (args === undefined) return writeFile(file, text ?? '');
    await ffmpeg([...args, file]);
    if (share === undefined) return;
    const whole = await readFile(file);
    await writeFile(file, whole.subarray(0, Math.floor(whole.length * share)));
  });
  return { name, path, codes };
}

/** Copies bad samples under their own names into `dir`, to be served from there. */
export async function placeBadSamples(dir: string, samples: readonly BadSample[]): Promise<void> {
  for (const { name, path } of samples) await copyFile(path, `${dir}/${name}`);
}
