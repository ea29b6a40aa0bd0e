import { expect } from 'chai';
import { newVideoId } from '@vds/testkit/harness/stand-in-catalog';
import { publishRequest, requestFor, stateOf, statusCounts, terminalEvent } from './catalog.ts';
import { openTwoTrackHarness, type TwoTrackHarness } from './harness.ts';
import { putRendition, silence } from './sounds.ts';

describe('captions that stall', function () {
  this.timeout(60_000);
  let harness: TwoTrackHarness;
  before(async () => void (harness = await openTwoTrackHarness({ TIME_SCALE: '0.05,stall=4s' })));
  after(() => harness?.close());

  it('a translation that hangs ends as failed, and the stage completes with the tracks that are ready', async () => {
    await harness.startWorker();
    const videoId = newVideoId();
    const request = requestFor(videoId, await putRendition(harness, newVideoId(), [silence(12)]));
    const release = harness.engines.hold('translation');
    await publishRequest(harness, request);
    const { subject, payload } = await terminalEvent(harness, videoId);
    release();
    expect(subject).to.equal('captions.captions.completed.v1');
    const counts = statusCounts(stateOf({ subject, id: '', payload }));
    expect(counts).to.deep.equal({ ready: 1, 'failed engine_error': 1 });
  });
});
