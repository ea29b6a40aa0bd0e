/** Files made by ffmpeg from a recipe, kept in `.vds/media/` under the hash of the recipe: made once, found again. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../servers/command.ts';

/** Where made media lie. */
export const mediaDir = fileURLToPath(new URL('../../../.vds/media', import.meta.url));

/** The ffprobe that looks at them: `FFPROBE_PATH`, else `ffprobe` on PATH. */
export function ffprobePath(): string {
  return process.env['FFPROBE_PATH'] ?? 'ffprobe';
}

/** Runs ffmpeg at low priority; throws with the end of its messages when it fails. */
export async function ffmpeg(args: readonly string[]): Promise<void> {
  await run('nice', ['-n', '5', ffmpegPath(), '-hide_banner', '-nostdin', '-v', 'error', '-y', ...args]);
}

/** The ffmpeg that makes media: `FFMPEG_PATH`, else `ffmpeg` on PATH. */
export function ffmpegPath(): string {
  return process.env['FFMPEG_PATH'] ?? 'ffmpeg';
}

/**
 * The path of `<name>-<hash>.<extension>` in the media folder; `make(path)` writes it where it is not there yet.
 * `recipe` is everything that decides the content. Two makers at the same time do no harm: the file appears whole or not at all.
 */
export async function cached(
  name: string,
  extension: string,
  recipe: unknown,
  make: (path: string) => Promise<void>,
): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(recipe)).digest('hex').slice(0, 12);
  const file = join(mediaDir, `${name}-${hash}.${extension}`);
  if (existsSync(file)) return file;
  mkdirSync(mediaDir, { recursive: true });
  const part = join(mediaDir, `.${name}-${hash}.${process.pid}.${extension}`);
  try {
    await make(part);
    renameSync(part, file);
  } finally {
    rmSync(part, { force: true });
  }
  return file;
}
