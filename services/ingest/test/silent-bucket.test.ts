import { createCipheriv } from 'node:crypto';
import { openCuttingProxy, type CuttingProxy } from '@vds/testkit/harness/cutting-proxy';
import { readServers } from '@vds/testkit/servers/servers-file';
import { lasts, until } from '@vds/testkit/until';
import { expect } from 'chai';
import { HOST, newId, startHarness, type Harness } from './servers/harness.ts';
import { serveBytes } from './servers/source-server.ts';

const MIB = 1024 * 1024;
const PART = 8 * MIB;
const BYTES = createCipheriv('aes-128-ctr', Buffer.alloc(16, 9), Buffer.alloc(16)).update(Buffer.alloc(PART + 5 * MIB));
const TOTAL_MS = 2_500;

describe('a bucket that becomes silent', function () {
  this.timeout(60_000);
  let harness: Harness;
  let proxy: CuttingProxy;
  before(async () => {
    harness = await startHarness();
    proxy = await openCuttingProxy();
    const endpoint = new URL(readServers().s3.endpoint);
    proxy.forwardTo(Number(endpoint.port));
    await harness.start({
      S3_ENDPOINT: `http://127.0.0.1:${proxy.port}`,
      TIME_SCALE: `s3Timeout=500ms,total=${TOTAL_MS}ms,retryDelays=100ms`,
    });
  });
  after(async () => {
    await harness?.stop();
    await proxy?.close();
  });

  it('a fetch whose bucket is silent for longer than a source may take is not blamed on the source, and completes afterwards', async () => {
    let requests = 0;
    harness.server.on('/video', (request, response) => {
      requests += 1;
      if (requests === 1) proxy.dropResponses();
      serveBytes(BYTES)(request, response);
    });
    const videoId = newId();
    await harness.catalog.request(videoId, `https://${HOST}/video`);
    await until(() => requests > 0, { what: 'the fetch has begun' });
    await lasts(TOTAL_MS + 500);
    expect(harness.catalog.published(videoId).map(({ name }) => name)).not.to.include('fetchFailed');
    proxy.cut();
    const { name, payload } = await harness.catalog.waitFor(videoId, ['fetchCompleted', 'fetchFailed']);
    expect(name).to.equal('fetchCompleted');
    expect((await harness.source(payload['sourceKey'])).equals(BYTES)).to.equal(true);
  });
});
