/** I-frame playlists: each byte range, behind the init segment, is one picture of the rendition, which a decoder shows alone. */
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { fastH264, ffmpeg, makeFolder, picture, pictureHashes, removeFolder, shownAt, tone } from './clips.ts';
import { encodeAndDownload } from './encode-and-download.ts';
import { openHarness, type Harness } from './harness.ts';

describe('I-frame playlists', function () {
  this.timeout(120_000);
  let harness: Harness;
  let folder: string;
  before(async () => {
    folder = await makeFolder();
    harness = await openHarness({ TIME_SCALE: 'wholeBelow=5s', PIECE_LENGTH: '6s' });
    await harness.startWorker();
  });
  after(async () => {
    await harness?.close();
    await removeFolder(folder);
  });

  it('each range of an I-frame playlist decodes to the picture of its time, and together they last as long as the video', async () => {
    const file = join(folder, 'clip.mp4');
    await ffmpeg(...picture('640x360', 25, 13), ...tone(13), ...fastH264, '-g', '50', '-c:a', 'aac', file);
    const video = await encodeAndDownload(harness, file);
    expect(video.ladder.rungs.length).to.be.above(1);
    for (const { playlist, pictures } of video.ladder.rungs) {
      const [times, hashes] = [
        await shownAt(join(video.folder, playlist)),
        await pictureHashes(join(video.folder, playlist)),
      ];
      const list = join(video.folder, pictures?.playlist ?? '');
      const text = await readFile(list, 'utf8');
      expect(text).to.include('#EXT-X-I-FRAMES-ONLY');
      const init = await readFile(join(dirname(list), /MAP:URI="(.+)"/.exec(text)?.[1] ?? ''));
      let time = times[0] ?? 0;
      const entries = [...text.matchAll(/#EXTINF:([\d.]+),\n#EXT-X-BYTERANGE:(\d+)@(\d+)\n(.+)\n/g)];
      expect(entries.length).to.equal(7); // one every two seconds
      for (const [, seconds, length, offset, uri = ''] of entries) {
        const segment = await readFile(join(dirname(list), uri));
        const alone = join(folder, 'alone.mp4');
        await writeFile(
          alone,
          Buffer.concat([init, segment.subarray(Number(offset), Number(offset) + Number(length))]),
        );
        const index = times.findIndex((at) => Math.abs(at - time) < 0.001);
        expect(await pictureHashes(alone), `${uri} at ${time}`).to.deep.equal([hashes[index]]);
        time += Number(seconds);
      }
      expect(time - (times[0] ?? 0)).to.be.closeTo(13, 0.001);
    }
  });
});
