/** Which fields of a record stay through a video's life, which change, and how each failure is reported. */
import { failures, type FailureCode } from '@vds/proto/failures';
import { expect } from 'chai';
import { bare } from '../harness/apps-client.ts';
import type { VideoRecord } from '../harness/partner-client.ts';
import type { StageName } from '@vds/proto/stages';
import type { Steps } from '../fixtures/steps.ts';
import { sharedFixture, type SharedFixture } from '../harness/host/shared-fixture.ts';

const source = 'https://origin.example.com/private/life.mp4';
/** Internal terms that would reveal the stack. */
const internal =
  /\d+\.\d+\.\d+\.\d+|::|localhost|:\/\/|\/tmp|ffmpeg|ffprobe|postgres|nats|s3:|bucket|stack|error:|undefined|\bnull\b/i;
function stagesOf(code: FailureCode): readonly StageName[] {
  return failures[code].stage === 'any' ? ['fetch', 'inspect', 'encode'] : [failures[code].stage];
}
const advice = /\b(submit|check|export|split|make|host|upload|contact|sign)\b/i;

describe('the record through the life of a video', () => {
  let fixture: SharedFixture;
  let steps: Steps;
  before(async function () {
    this.timeout(120_000);
    fixture = await sharedFixture();
    ({ steps } = await fixture.newPublisher('Life'));
  });

  it('id, created_at and playback_id never change, and updated_at grows with every visible change', async () => {
    const { partner, staff, by } = steps;
    const id = await partner.submit(source);
    const seen: VideoRecord[] = [await partner.get(id)];
    const read = async (): Promise<VideoRecord> => {
      const record = await partner.get(id);
      seen.push(record);
      return record;
    };
    await steps.fails(id, 'encode', 'transcode_failed');
    await read();
    await steps.upTo(id, 'fetch');
    await staff.RetryVideo(by(id));
    await read();
    const first = await steps.live(id);
    const moved: string[] = [first.updated_at ?? ''];
    for (const act of [partner.archive, partner.republish, partner.archive, partner.republish]) {
      expect((await act(id)).status).to.equal(200);
      moved.push((await read()).updated_at ?? '');
    }
    await staff.HoldVideo(by(id));
    moved.push((await read()).updated_at ?? '');
    await staff.ReleaseVideo(by(id));
    const last = await read();
    moved.push(last.updated_at ?? '');
    await partner.remove(id);
    moved.push((await read()).updated_at ?? '');
    expect(moved).to.deep.equal(moved.toSorted());
    expect(new Set(moved).size, moved.join()).to.equal(moved.length);
    expect(last.playback).to.deep.equal(first.playback);
    for (const { playback } of seen.filter(({ status }) => status === 'ready'))
      expect(playback).to.deep.equal(first.playback);
    expect(new Set(seen.map((record) => record.id))).to.deep.equal(new Set([id]));
    expect(new Set(seen.map((record) => record.created_at)).size).to.equal(1);
    expect(seen.map(({ status }) => status)).to.deep.equal(
      ['processing', 'failed', 'processing', 'archived', 'ready', 'archived', 'ready', 'archived', 'ready', 'deleted'], // prettier-ignore
    );
  });

  it('updated_at does not move with a command that changes nothing', async () => {
    const { partner } = steps;
    const id = await partner.submit(source);
    const ready = await steps.live(id);
    await partner.republish(id);
    expect(await partner.get(id)).to.deep.equal(ready);
    await partner.archive(id);
    const archived = await partner.get(id);
    await partner.archive(id);
    expect(await partner.get(id)).to.deep.equal(archived);
    await partner.remove(id);
    const deleted = await partner.get(id);
    await partner.remove(id);
    expect(await partner.get(id)).to.deep.equal(deleted);
  });

  it('progress is a whole number that never falls, and never 100 while the video is processing', async () => {
    const { partner, workers, runs } = steps;
    const id = await partner.submit(source);
    const progresses: number[] = [(await partner.get(id)).progress ?? -1];
    for (const [percent, progress] of [[10, 1], [50, 7], [100, 14]] as const) {
      await runs(id, 'fetch', percent, progress);
      progresses.push(progress);
    } // prettier-ignore
    const request = await steps.upTo(id, 'encode');
    await workers.progress('encode', request, 60);
    await workers.progress('encode', request, 30);
    await workers.progress('encode', request, 1_000);
    await steps.waitFor(id, 'has come to 79 %', ({ progress }) => progress === 79);
    await workers.complete.encode(bare(id));
    await steps.waitFor(id, 'has come to 80 %', ({ progress }) => progress === 80);
    expect(progresses).to.deep.equal([0, 1, 7, 14]);
    expect((await steps.live(id)).progress).to.equal(undefined);
  });

  it('every failure has its stage, whether it is retryable and what to do, and reveals nothing internal', async () => {
    const details = { http_status: '404', codec: 'mpeg2video' };
    const check = async (code: FailureCode, stage: StageName): Promise<void> => {
      const id = await steps.partner.submit(source, { title: code });
      const { failure } = await steps.fails(id, stage, code, details);
      const { retryable, message } = failures[code];
      expect(failure).to.deep.equal({ code, stage, retryable, message, details });
      expect(message, code).to.match(advice);
      expect(message, code).to.match(/\.$/);
      expect(message, code).not.to.match(internal);
    };
    const all = (Object.keys(failures) as FailureCode[]).flatMap((code) =>
      stagesOf(code).map((stage) => [code, stage] as const),
    );
    await Promise.all(all.map(([code, stage]) => check(code, stage)));
    console.log(`      ${all.length} failures of ${Object.keys(failures).length} codes`);
  });
});
