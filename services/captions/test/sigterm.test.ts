import { expect } from 'chai';
import { terminateDuringWork, released } from '@vds/testkit/harness/terminate-during-work';
import { until } from '@vds/testkit/until';
import { newVideoId } from '@vds/testkit/harness/stand-in-catalog';
import { publishRequest, requestFor, terminalEvent } from './catalog.ts';
import { openTwoTrackHarness, type TwoTrackHarness } from './harness.ts';
import { putRendition, silence } from './sounds.ts';

describe('captions on SIGTERM', function () {
  this.timeout(60_000);
  let harness: TwoTrackHarness;
  before(async () => void (harness = await openTwoTrackHarness({ TIME_SCALE: 'lease=10m,renew=2m' })));
  after(() => harness?.close());

  it('a transcription interrupted by SIGTERM is released without costing a try, and another process completes it', async () => {
    const first = await harness.startWorker();
    const videoId = newVideoId();
    const request = requestFor(videoId, await putRendition(harness, newVideoId(), [silence(12)]));
    const release = harness.engines.hold('speech');
    await publishRequest(harness, request);
    await until(() => harness.engines.count('speech') > 0, { what: 'the engine is called' });
    const { code, ms, jobs } = await terminateDuringWork(harness.pool, videoId, first.process);
    release();
    expect(code).to.equal(0);
    expect(ms).to.be.below(10_000);
    expect(jobs).to.deep.equal([released]);
    await harness.startWorker();
    const { subject } = await terminalEvent(harness, videoId);
    expect(subject).to.equal('captions.captions.completed.v1');
  });
});
