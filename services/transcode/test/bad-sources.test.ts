import { readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { requestEncode, requestInspect, waitForTerminalEvent, inspectFailure, uploadSource } from './catalog.ts';
import { fastH264, ffmpeg, makeFolder, picture, removeFolder, tone } from './clips.ts';
import { openHarness, type Harness } from './harness.ts';

describe('unusable sources', function () {
  this.timeout(60_000);
  let harness: Harness;
  let folder: string;
  const at = (name: string): string => join(folder, name);
  before(async () => {
    folder = await makeFolder();
    harness = await openHarness();
    await harness.startWorker();
    await ffmpeg(...picture('160x90', 25, 3), ...tone(3), ...fastH264, '-c:a', 'aac', at('good.mp4'));
  });
  after(async () => {
    await harness?.close();
    await removeFolder(folder);
  });

  const itRejects = (name: string, code: string, make: (path: string) => Promise<unknown>): void => {
    it(`inspection rejects ${name} with ${code}`, async () => {
      const path = at(`${name.replaceAll(/\W+/g, '-')}.mp4`);
      await make(path);
      const failure = await inspectFailure(harness, path);
      expect(failure).to.include({ code });
      expect(JSON.stringify(failure)).not.to.match(/ffmpeg|ffprobe|scratch|moov|\//);
    });
  };

  itRejects('an empty file', 'source_empty', (path) => writeFile(path, ''));
  itRejects('a web page', 'source_not_video', (path) =>
    writeFile(path, '<!DOCTYPE html><html><body>404</body></html>'),
  );
  itRejects('a text', 'source_not_video', (path) => writeFile(path, 'hello world\n'.repeat(500)));
  itRejects('a playlist named mp4', 'source_not_video', (path) =>
    writeFile(path, '#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n'),
  );
  itRejects('a file without pictures', 'source_no_video', (path) => ffmpeg(...tone(2), '-c:a', 'aac', path));
  itRejects('sound with cover art', 'source_no_video', (path) =>
    ffmpeg(
      ...[...tone(2), '-f', 'lavfi', '-i', 'color=red:s=64x64:d=0.04', '-map', '0', '-map', '1', '-c:a', 'aac'],
      ...['-c:v', 'mjpeg', '-disposition:v:0', 'attached_pic', path],
    ),
  );
  itRejects('a flac', 'source_no_video', (path) => ffmpeg(...tone(1), '-f', 'flac', path));
  itRejects('an avi', 'container_unsupported', (path) =>
    ffmpeg(...picture('160x90', 25, 2), ...fastH264, '-f', 'avi', path),
  );
  itRejects('a transport stream', 'container_unsupported', (path) =>
    ffmpeg(...picture('160x90', 25, 2), ...fastH264, '-f', 'mpegts', path),
  );
  itRejects('MPEG-4 part 2 video', 'codec_unsupported', (path) =>
    ffmpeg(...picture('160x90', 25, 2), '-c:v', 'mpeg4', path),
  );
  itRejects('a video of 0.08 s', 'source_too_short', (path) =>
    ffmpeg(...picture('160x90', 25, 0.08), ...fastH264, path),
  );
  itRejects('more tracks than any player needs', 'source_too_complex', (path) =>
    ffmpeg(
      '-i',
      at('good.mp4'),
      ...Array.from({ length: 100 }, () => ['-map', '0:a', '-map', '0:v']).flat(),
      '-c',
      'copy',
      path,
    ),
  );
  itRejects('a video of 1,000 pictures a second', 'source_too_complex', (path) =>
    ffmpeg(...picture('64x48', 1_000, 0.5), ...fastH264, path),
  );
  itRejects('pictures of 8192×8192', 'source_too_complex', (path) =>
    ffmpeg('-f', 'lavfi', '-i', 'color=black:s=8192x8192:r=5:d=0.4', ...fastH264, path),
  );
  itRejects('half an mp4 file with its index at the end', 'source_corrupt', async (path) => {
    await writeFile(path, await readFile(at('good.mp4')));
    await truncate(path, 40_000);
  });
  itRejects('half an mp4 file with its index at the start', 'source_corrupt', async (path) => {
    await ffmpeg('-i', at('good.mp4'), '-c', 'copy', '-movflags', '+faststart', path);
    await truncate(path, Math.floor((await readFile(path)).length / 2));
  });
  itRejects('half a Matroska file', 'source_corrupt', async (path) => {
    await ffmpeg('-i', at('good.mp4'), '-c', 'copy', '-f', 'matroska', path);
    await truncate(path, Math.floor((await readFile(path)).length / 2));
  });
  itRejects('pictures of noise', 'source_corrupt', async (path) => {
    const bytes = await readFile(at('good.mp4'));
    const from = bytes.indexOf('mdat') + 4;
    const to = bytes.indexOf('moov') - 4;
    bytes.fill(0xa5, from, to > from ? to : undefined);
    await writeFile(path, bytes);
  });
  itRejects('encrypted pictures', 'source_encrypted', (path) =>
    ffmpeg(
      ...['-i', at('good.mp4'), '-c', 'copy', '-encryption_scheme', 'cenc-aes-ctr', '-encryption_key'],
      ...['76a6c65c5ea762046bd749a2e632ccbb', '-encryption_kid', 'a7e61c373e219033c21091fa607bf3b8', path],
    ),
  );

  it('a source_corrupt failure names the stream, the second, and the expected and found duration', async () => {
    // An mdat that lasts "to the end of the file" hides that the file was cut.
    const open = await readFile(at('good.mp4'));
    await ffmpeg('-i', at('good.mp4'), '-c', 'copy', '-movflags', '+faststart', at('front.mp4'));
    const bytes = await readFile(at('front.mp4'));
    bytes.writeUInt32BE(0, bytes.indexOf('mdat') - 4);
    await writeFile(at('endless.mp4'), bytes.subarray(0, Math.floor(open.length * 0.6)));
    const { code, details } = (await inspectFailure(harness, at('endless.mp4'))) as {
      code: string;
      details: Record<string, string>;
    };
    expect(code).to.equal('source_corrupt');
    expect(details).to.include({ stream: 'video', expected_seconds: '3.00' });
    expect(Number(details['found_seconds'])).to.be.within(0.5, 2.9);
    expect(details['at_seconds']).to.equal(details['found_seconds']);
  });

  it('a source whose sound cannot be decoded fails with source_corrupt instead of becoming a mute video', async () => {
    await ffmpeg('-i', at('good.mp4'), '-c', 'copy', '-bsf:a', 'noise=amount=1', at('noise.mp4'));
    const video = await uploadSource(harness, at('noise.mp4'));
    await requestInspect(harness, video);
    expect((await waitForTerminalEvent(harness, video.videoId, 'inspect')).subject).to.equal(
      'transcode.inspect.completed.v1',
    );
    await requestEncode(harness, video);
    const { subject, payload } = await waitForTerminalEvent(harness, video.videoId, 'encode');
    expect(subject).to.equal('transcode.encode.failed.v1');
    expect(payload).to.deep.include({
      code: 'source_corrupt',
      details: { stream: 'audio', found: 'cannot be decoded' },
    });
  });
});
