/** Encodes a file with the real service, and downloads the video as players see it. */
import { join } from 'node:path';
import { expect } from 'chai';
import { transcode } from './catalog.ts';
import { download } from './clips.ts';
import type { House } from './harness.ts';
import { playlistFaults } from './playlist-faults.ts';

/** Encodes a file; the video's playlists must satisfy the rules. The video is stored next to the file. */
export async function finishTitle(house: House, path: string, capMs = 60_000) {
  const title = await transcode(house, path, capMs);
  const seen = await download(house, title.videoId, String(title.encoded['ladderKey']), `${path}-seen`);
  expect(await playlistFaults(seen.folder, seen.ladder)).to.deep.equal([]);
  const warnings = (title.inspected['warnings'] as { code: string }[]).map(({ code }) => code);
  return {
    ...title,
    ...seen,
    warnings,
    /** Playlist of the largest rung, and of the sound. */
    top: join(seen.folder, seen.ladder.rungs[0]?.playlist ?? ''),
    sound: seen.ladder.audio && join(seen.folder, seen.ladder.audio.playlist),
  };
}
