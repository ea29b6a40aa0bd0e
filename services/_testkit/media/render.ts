/** Files that ffmpeg makes from a recipe, cached in `.vds/media/` under the hash of the recipe. */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../servers/command.ts';

/** The folder of cached media. */
export const mediaDir = fileURLToPath(new URL('../../../.vds/media', import.meta.url));

/** Runs ffmpeg at low priority; throws with the end of its messages when it fails. */
export async function ffmpeg(args: readonly string[]): Promise<void> {
  await run('nice', ['-n', '5', ffmpegPath(), '-hide_banner', '-nostdin', '-v', 'error', '-y', ...args]);
}

/** The ffmpeg that makes media: `FFMPEG_PATH`, else `ffmpeg` on PATH. */
export function ffmpegPath(): string {
  return process.env['FFMPEG_PATH'] ?? 'ffmpeg';
}

/**
 * The path of `<name>-<hash>.<extension>` in the media folder; `make(path)` writes it if it does not exist yet.
 * `recipe` is everything that determines the content. Concurrent makers are safe: the file is renamed into place when
 * it is complete.
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
  const part = join(mediaDir, `.${name}-${hash}.${randomUUID()}.${extension}`);
  try {
    await make(part);
    renameSync(part, file);
  } finally {
    rmSync(part, { force: true });
  }
  return file;
}
