/** Failures of sources beyond their codes, which the corpus shows. */
import { readFile, writeFile } from 'node:fs/promises';
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

  it('inspection rejects encrypted pictures with source_encrypted', async () => {
    const keys = ['76a6c65c5ea762046bd749a2e632ccbb', '-encryption_kid', 'a7e61c373e219033c21091fa607bf3b8'];
    const encrypted = ['-c', 'copy', '-encryption_scheme', 'cenc-aes-ctr', '-encryption_key', ...keys];
    await ffmpeg('-i', at('good.mp4'), ...encrypted, at('encrypted.mp4'));
    expect(await inspectFailure(harness, at('encrypted.mp4'))).to.include({ code: 'source_encrypted' });
  });

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
