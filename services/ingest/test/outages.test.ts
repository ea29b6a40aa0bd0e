/** What is nobody's fault costs nothing, and one publisher's slow sources do not hold up another's. */
import { expect } from 'chai';
import { openCuttingProxy } from '@vds/testkit/harness/cutting-proxy';
import { lasts, until } from '@vds/testkit/until';
import { HOST, newId, OTHER_HOSTS, startHarness, type Harness } from './servers/harness.ts';
import { serveBytes } from './servers/source-server.ts';

describe('outages of what ingest needs', function () {
  this.timeout(60_000);
  let harness: Harness;
  before(async () => {
    harness = await startHarness();
    harness.server.on('/clip', serveBytes(Buffer.alloc(1_000, 7)));
  });
  after(() => harness?.stop());
  const request = async (url: string, publisherId = 'pub'): Promise<string> => {
    const videoId = newId();
    await harness.catalog.request(videoId, url, { publisherId });
    return videoId;
  };
  const ended = async (videoId: string): Promise<string> => {
    const { name, payload } = await harness.catalog.waitFor(videoId, ['fetchCompleted', 'fetchFailed']);
    return name === 'fetchCompleted' ? name : `${String(payload['code'])}`;
  };

  it('while no host can be reached no source is blamed, and all are fetched when the network is back', async () => {
    const network = await openCuttingProxy(`https://127.0.0.1:${harness.server.port}`);
    const pinned = OTHER_HOSTS.map((host) => `${host}:443=127.0.0.1:${network.port}`).join();
    const TIME_SCALE = 'breakerPause=500ms,sourceDelays=100ms+100ms+100ms+100ms+100ms,retryWindow=500ms,total=2s';
    const ingest = await harness.start({ PRIVATE_SOURCES: pinned, TIME_SCALE });
    network.refuse();
    const videos = await Promise.all(OTHER_HOSTS.map((host) => request(`https://${host}/clip`)));
    await ingest.logged('dependency unavailable: queue paused');
    // Longer than all tries of a source, and than the whole fetch may take.
    await lasts(2_500);
    expect(videos.flatMap((videoId) => harness.catalog.published(videoId).map(({ name }) => name))).not.to.include(
      'fetchFailed',
    );
    network.cut();
    expect(new Set(await Promise.all(videos.map(ended)))).to.deep.equal(new Set(['fetchCompleted']));
    await ingest.stop();
    await network.close();
  });

  it('while catalog is away fetches wait for it, which costs no try, and end when it is back', async () => {
    const ingest = await harness.start({ TIME_SCALE: 'breakerPause=300ms,retryDelays=100ms' });
    Object.assign(harness.catalogRpc, { isAway: true, calls: 0 });
    const videoId = await request(`https://${HOST}/clip`);
    await until(() => harness.catalogRpc.calls >= 3, { what: 'three calls to catalog' });
    expect(harness.catalog.published(videoId).map(({ name }) => name)).not.to.include('fetchFailed');
    harness.catalogRpc.isAway = false;
    expect(await ended(videoId)).to.equal('fetchCompleted');
    expect(await harness.row('SELECT tries FROM fetches WHERE video_id = $1', videoId)).to.deep.equal({ tries: 0 });
    await ingest.stop();
  });

  it('one publisher’s unreachable hosts do not hold up another’s fetch, although they pause the queue', async () => {
    const hosts = OTHER_HOSTS.map((host) => `${host}:443=127.0.0.1:1`);
    const pinned = [...hosts, `${HOST}:443=127.0.0.1:${harness.server.port}`].join();
    const short = { TIME_SCALE: 'breakerPause=300ms,retryDelays=100ms', FETCH_SLOTS: '4' };
    const ingest = await harness.start({ PRIVATE_SOURCES: pinned, ...short });
    const unreachable = Array.from({ length: 40 }, (_, n) => `https://${OTHER_HOSTS[n % OTHER_HOSTS.length]}/clip`);
    await Promise.all(unreachable.map((url) => request(url, 'careless')));
    await ingest.logged('dependency unavailable: queue paused');
    expect(await ended(await request(`https://${HOST}/clip`, 'other'))).to.equal('fetchCompleted');
    await ingest.stop();
    // They would pause the queues of the next tests.
    await harness.pool.query("DELETE FROM chassis.jobs WHERE tenant = 'careless'");
  });

  it('a source that fails before and after an outage longer than its window keeps all of its tries', async () => {
    let failuresAfter = Infinity;
    harness.server.on('/flaky', (message, response) => {
      if (failuresAfter-- > 0) return void response.writeHead(503).end();
      serveBytes(Buffer.alloc(1_000, 7))(message, response);
    });
    const delays = { TIME_SCALE: 'sourceDelays=1500ms+100ms+100ms+100ms+100ms,retryWindow=2500ms' };
    const first = await harness.start(delays);
    const videoId = await request(`https://${HOST}/flaky`);
    await until(() => harness.row('SELECT 1 FROM fetches WHERE video_id = $1 AND tries = 1', videoId), {
      what: 'the first try has failed',
    });
    await first.stop();
    await lasts(3_000);
    failuresAfter = 3;
    const second = await harness.start(delays);
    expect(await ended(videoId)).to.equal('fetchCompleted');
    expect(harness.server.requests.filter(({ url }) => url === '/flaky')).to.have.length.of.at.least(5);
    await second.stop();
  });

  it('the slow sources of one publisher leave slots to another, regular and overdue ones', async () => {
    harness.server.on('/slow', (_request, response) => {
      response.writeHead(200, { 'content-length': 1_000_000 });
      response.write('a');
    });
    const slots = { FETCH_SLOTS: '4', TIME_SCALE: 'startWithin=300ms,overdueEvery=100ms,idle=60s' };
    const ingest = await harness.start(slots);
    const slow = await Promise.all(Array.from({ length: 12 }, () => request(`https://${HOST}/slow`, 'slow')));
    const started = () =>
      slow.filter((videoId) => harness.catalog.published(videoId).some(({ name }) => name === 'fetchStarted')).length;
    await until(() => started() === 5, { what: 'three regular slots and two overdue ones' });
    expect(await ended(await request(`https://${HOST}/clip`, 'other'))).to.equal('fetchCompleted');
    expect(started()).to.equal(5);
    await ingest.stop();
  });
});
