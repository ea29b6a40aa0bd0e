/** Encodes a file with the real service, and downloads the video as players see it. */
import { join } from 'node:path';
import { expect } from 'chai';
import { transcode } from './catalog.ts';
import { download, makeFolder, removeFolder } from './clips.ts';
import { openHarness, type Harness } from './harness.ts';
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

/** A worker and a folder for all tests of the suite that calls it; both are there once its tests run. */
export function sharedWorker() {
  let harness: Harness;
  let folder: string;
  before(async () => {
    folder = await makeFolder();
    harness = await openHarness();
    await harness.startWorker();
  });
  after(async () => {
    await harness?.close();
    await removeFolder(folder);
  });
  return {
    /** Path of a file in the folder. */
    at: (file: string): string => join(folder, file),
    /** Encodes a file of the folder. */
    encode: (file: string, capMs?: number) => encodeAndDownload(harness, join(folder, file), capMs),
    /** The worker's service. */
    harness: (): Harness => harness,
  };
}
