import { readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { askEncode, askInspect, lastWord, refusedWith, uploadSource } from './catalog.ts';
import { fastH264, ffmpeg, makeFolder, picture, removeFolder, tone } from './clips.ts';
import { openHouse, type House } from './harness.ts';

describe('a source that will not do', function () {
  this.timeout(60_000);
  let house: House;
  let folder: string;
  const at = (name: string): string => join(folder, name);
  before(async () => {
    folder = await makeFolder();
    house = await openHouse();
    await house.startWorker();
    await ffmpeg(...picture('160x90', 25, 3), ...tone(3), ...fastH264, '-c:a', 'aac', at('good.mp4'));
  });
  after(async () => {
    await house?.close();
    await removeFolder(folder);
  });

  const refusals = (name: string, code: string, make: (path: string) => Promise<unknown>): void => {
    it(`fails with ${code}: ${name}`, async () => {
      const path = at(`${name.replaceAll(/\W+/g, '-')}.mp4`);
      await make(path);
      const failure = await refusedWith(house, path);
      expect(failure).to.include({ code });
      expect(JSON.stringify(failure)).not.to.match(/ffmpeg|ffprobe|scratch|moov|\//);
    });
  };

  refusals('an empty file', 'source_empty', (path) => writeFile(path, ''));
  refusals('a web page', 'source_not_video', (path) => writeFile(path, '<!DOCTYPE html><html><body>404</body></html>'));
  refusals('a text', 'source_not_video', (path) => writeFile(path, 'hello world\n'.repeat(500)));
  refusals('a playlist named mp4', 'source_not_video', (path) =>
    writeFile(path, '#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n'),
  );
  refusals('a file of sound alone', 'source_no_video', (path) => ffmpeg(...tone(2), '-c:a', 'aac', path));
  refusals('sound with cover art', 'source_no_video', (path) =>
    ffmpeg(
      ...[...tone(2), '-f', 'lavfi', '-i', 'color=red:s=64x64:d=0.04', '-map', '0', '-map', '1', '-c:a', 'aac'],
      ...['-c:v', 'mjpeg', '-disposition:v:0', 'attached_pic', path],
    ),
  );
  refusals('a flac', 'source_no_video', (path) => ffmpeg(...tone(1), '-f', 'flac', path));
  refusals('an avi', 'container_unsupported', (path) =>
    ffmpeg(...picture('160x90', 25, 2), ...fastH264, '-f', 'avi', path),
  );
  refusals('a transport stream', 'container_unsupported', (path) =>
    ffmpeg(...picture('160x90', 25, 2), ...fastH264, '-f', 'mpegts', path),
  );
  refusals('mpeg-4 part 2', 'codec_unsupported', (path) => ffmpeg(...picture('160x90', 25, 2), '-c:v', 'mpeg4', path));
  refusals('eight hundredths of a second', 'source_too_short', (path) =>
    ffmpeg(...picture('160x90', 25, 0.08), ...fastH264, path),
  );
  refusals('more tracks than any player needs', 'source_too_complex', (path) =>
    ffmpeg(
      '-i',
      at('good.mp4'),
      ...Array.from({ length: 100 }, () => ['-map', '0:a', '-map', '0:v']).flat(),
      '-c',
      'copy',
      path,
    ),
  );
  refusals('1,000 pictures a second', 'source_too_complex', (path) =>
    ffmpeg(...picture('64x48', 1_000, 0.5), ...fastH264, path),
  );
  refusals('pictures of 8192×8192', 'source_too_complex', (path) =>
    ffmpeg('-f', 'lavfi', '-i', 'color=black:s=8192x8192:r=5:d=0.4', ...fastH264, path),
  );
  refusals('half a file with its index behind', 'source_corrupt', async (path) => {
    await writeFile(path, await readFile(at('good.mp4')));
    await truncate(path, 40_000);
  });
  refusals('half a file with its index before', 'source_corrupt', async (path) => {
    await ffmpeg('-i', at('good.mp4'), '-c', 'copy', '-movflags', '+faststart', path);
    await truncate(path, Math.floor((await readFile(path)).length / 2));
  });
  refusals('half a matroska file', 'source_corrupt', async (path) => {
    await ffmpeg('-i', at('good.mp4'), '-c', 'copy', '-f', 'matroska', path);
    await truncate(path, Math.floor((await readFile(path)).length / 2));
  });
  refusals('pictures of noise', 'source_corrupt', async (path) => {
    const bytes = await readFile(at('good.mp4'));
    const from = bytes.indexOf('mdat') + 4;
    const to = bytes.indexOf('moov') - 4;
    bytes.fill(0xa5, from, to > from ? to : undefined);
    await writeFile(path, bytes);
  });
  refusals('encrypted pictures', 'source_encrypted', (path) =>
    ffmpeg(
      ...['-i', at('good.mp4'), '-c', 'copy', '-encryption_scheme', 'cenc-aes-ctr', '-encryption_key'],
      ...['76a6c65c5ea762046bd749a2e632ccbb', '-encryption_kid', 'a7e61c373e219033c21091fa607bf3b8', path],
    ),
  );

  it('is told which stream ends at which second, what was expected and what was found', async () => {
    // An mdat that lasts "to the end of the file" hides that the file was cut.
    const open = await readFile(at('good.mp4'));
    await ffmpeg('-i', at('good.mp4'), '-c', 'copy', '-movflags', '+faststart', at('front.mp4'));
    const bytes = await readFile(at('front.mp4'));
    bytes.writeUInt32BE(0, bytes.indexOf('mdat') - 4);
    await writeFile(at('endless.mp4'), bytes.subarray(0, Math.floor(open.length * 0.6)));
    const { code, details } = (await refusedWith(house, at('endless.mp4'))) as {
      code: string;
      details: Record<string, string>;
    };
    expect(code).to.equal('source_corrupt');
    expect(details).to.include({ stream: 'video', expected_seconds: '3.00' });
    expect(Number(details['found_seconds'])).to.be.within(0.5, 2.9);
    expect(details['at_seconds']).to.equal(details['found_seconds']);
  });

  it('fails with source_corrupt, and is never made mute, where its sound cannot be decoded', async () => {
    await ffmpeg('-i', at('good.mp4'), '-c', 'copy', '-bsf:a', 'noise=amount=1', at('noise.mp4'));
    const title = await uploadSource(house, at('noise.mp4'));
    await askInspect(house, title);
    expect((await lastWord(house, title.videoId, 'inspect')).subject).to.equal('transcode.inspect.completed.v1');
    await askEncode(house, title);
    const { subject, payload } = await lastWord(house, title.videoId, 'encode');
    expect(subject).to.equal('transcode.encode.failed.v1');
    expect(payload).to.deep.include({
      code: 'source_corrupt',
      details: { stream: 'audio', found: 'cannot be decoded' },
    });
  });
});
