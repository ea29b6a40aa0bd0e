/** The demo's own video: 25 s of moving pictures with drawn text, and speech. */
import { CLIP_SECONDS, demoClipGraph } from './demo-clip-recipe.ts';
import { cached, ffmpeg, ffmpegPath } from './render.ts';
import { run } from '../servers/command.ts';

const VIDEO = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '20', '-pix_fmt', 'yuv420p', '-g', '60'];
const AUDIO = ['-c:a', 'aac', '-b:a', '128k'];
const ENCODING = [...VIDEO, ...AUDIO, '-t', String(CLIP_SECONDS), '-movflags', '+faststart', '-fflags', '+bitexact'];

/** Path of the demo clip (720p30, H.264 and AAC in mp4, 25 s); made on the first call, in about 10 s on two cores. */
export async function makeClip(): Promise<string> {
  const graph = demoClipGraph();
  return cached('demo-clip', 'mp4', [graph, ENCODING], async (path) => {
    const lacking = await missing();
    if (lacking.length > 0) {
      throw new Error(
        `The demo clip cannot be made: ${ffmpegPath()} lacks ${lacking.join(', ')} (Debian's ffmpeg has them all); give the address of a video, or --file <path>.`,
      );
    }
    await ffmpeg(['-filter_complex', graph, '-map', '[picture]', '-map', '[sound]', ...ENCODING, path]);
  });
}

/** What the clip needs and this ffmpeg lacks. */
async function missing(): Promise<string[]> {
  // An ffmpeg that does not even start counts as missing.
  const filters = await run(ffmpegPath(), ['-hide_banner', '-filters']).catch(() => null);
  if (filters === null) return ['ffmpeg itself'];
  return ['flite', 'drawtext', 'life', 'gradients'].filter((name) => !new RegExp(`^ ... ${name} `, 'm').test(filters));
}
