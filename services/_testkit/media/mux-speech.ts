/** A recording under a moving picture, for tests that need real speech in a video. */
import { stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { cached, ffmpeg } from './render.ts';

const SPACE = 'gradients=s=1280x720:r=30:c0=0x0b132b:c1=0x3a506b:c2=0x5bc0be:n=3:seed=3:speed=0.02,format=yuv420p';
const WAVE =
  '[0:a]asplit[sound][seen];[seen]showwaves=s=1280x240:r=30:mode=cline:colors=0xe0fbfc,format=rgba[wave];[1:v][wave]overlay=y=240:format=yuv420:shortest=1[picture]';
const ENCODING = [
  '-c:v',
  'libx264',
  '-preset',
  'veryfast',
  '-crf',
  '22',
  '-pix_fmt',
  'yuv420p',
  '-g',
  '60',
  '-c:a',
  'aac',
  '-b:a',
  '128k',
];

/**
 * Path of an mp4 (720p30, H.264 and AAC) with the full audio file `audio` and its waveform over a moving picture; made
 * on the first call.
 */
export async function muxSpeech(audio: string): Promise<string> {
  const { size, mtimeMs } = await stat(audio);
  const name = basename(audio, extname(audio));
  return cached(`speech-${name}`, 'mp4', [audio, size, mtimeMs, SPACE, WAVE, ENCODING], async (path) => {
    const inputs = ['-i', audio, '-f', 'lavfi', '-i', SPACE];
    const output = ['-map', '[picture]', '-map', '[sound]', ...ENCODING, '-shortest', '-movflags', '+faststart', path];
    await ffmpeg([...inputs, '-filter_complex', WAVE, ...output]);
  });
}
