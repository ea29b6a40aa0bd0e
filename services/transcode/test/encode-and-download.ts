/** Encodes a file with the real service, and downloads the video as players see it. */
import { join } from 'node:path';
import { expect } from 'chai';
import { transcode } from './catalog.ts';
import { download } from './clips.ts';
import type { Harness } from './harness.ts';
import { playlistFaults } from './playlist-faults.ts';

/** Encodes a file; the video's playlists must satisfy the rules. The video is stored next to the file. */
export async function encodeAndDownload(harness: Harness, path: string, capMs = 60_000) {
  const video = await transcode(harness, path, capMs);
  const output = await download(harness, video.videoId, String(video.encoded['ladderKey']), `${path}-output`);
  expect(await playlistFaults(output.folder, output.ladder)).to.deep.equal([]);
  const warnings = (video.inspected['warnings'] as { code: string }[]).map(({ code }) => code);
  return {
    ...video,
    ...output,
    warnings,
    /** Playlist of the largest rung, and of the sound. */
    top: join(output.folder, output.ladder.rungs[0]?.playlist ?? ''),
    sound: output.ladder.audio && join(output.folder, output.ladder.audio.playlist),
  };
}
