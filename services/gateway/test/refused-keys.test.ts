/** Floods of invalid keys at the gateway: how many reach auth, and who goes on meanwhile. */
import { AppError } from '@vds/chassis/errors';
import { expect } from 'chai';
import { countRefusals } from '../src/inbound/refusals.ts';
import { caller, errorOf, servePeers, startGateway, type Gateway, type GatewayOptions } from './gateway.ts';

const path = '/v1/videos/vid_01jd3m8q0c7e5b9x2k4n6p8rst';
const PER_MINUTE = 20;

describe('refused keys', () => {
  let peers: Awaited<ReturnType<typeof servePeers>>;
  let gateway: Gateway;
  let asked: string[];

  before(async () => {
    peers = await servePeers({
      auth: {
        Authorize: async ({ key }) => {
          asked.push(key);
          if (!key.startsWith('good')) throw new AppError('UNAUTHENTICATED', 'no', { reason: 'invalid_credentials' });
          return caller;
        },
      },
      catalog: {
        GetVideo: async () => {
          throw new AppError('NOT_FOUND', 'no');
        },
      },
    });
  });
  after(() => peers.close());
  beforeEach(() => void (asked = []));
  afterEach(() => gateway.close());

  const start = async (options: GatewayOptions = {}): Promise<void> =>
    void (gateway = await startGateway(peers.port, { refusalsPerMinute: PER_MINUTE, ...options }));
  const statusAs = async (key: string, from?: string): Promise<number> =>
    (await gateway.callAs(key, 'GET', path, from === undefined ? {} : { headers: { 'x-forwarded-for': from } })).status;
  const flood = async (count: number, from?: string): Promise<number[]> => {
    const statuses: number[] = [];
    for (let sent = 0; sent < count; sent += 1) statuses.push(await statusAs(`bad-${Math.random()}`, from));
    return statuses;
  };

  it('a flood of invalid keys reaches auth a bounded number of times, while a good key of the same address is answered', async () => {
    await start();
    expect(await statusAs('good')).to.equal(404);
    const from = performance.now();
    const statuses = new Set(await flood(500));
    expect(statuses).to.deep.equal(new Set([401, 429]));
    const allowed = PER_MINUTE * (1 + (performance.now() - from) / 60_000) + 1;
    expect(asked.filter((key) => key.startsWith('bad')).length).to.be.within(PER_MINUTE, allowed);
    for (let times = 0; times < 5; times += 1) expect(await statusAs('good')).to.equal(404);
  });

  it('a flood of invalid keys is answered with 429 and when to come back, and counts for no other address', async () => {
    await start({ trustedHops: ['127.0.0.0/8', '::1'] });
    await flood(PER_MINUTE + 5, '203.0.113.7');
    const seen = await gateway.callAs('bad', 'GET', path, { headers: { 'x-forwarded-for': '203.0.113.7' } });
    expect([seen.status, errorOf(seen).code]).to.deep.equal([429, 'rate_limited']);
    expect(Number(seen.headers.get('retry-after'))).to.be.within(1, 3);
    expect(await statusAs('good-and-new', '203.0.113.7')).to.equal(429);
    expect(await statusAs('bad', '203.0.113.8')).to.equal(401);
    expect(await statusAs('good-and-new', '198.51.100.1, 203.0.113.8')).to.equal(404);
  });

  it('without a trusted hop, invalid keys count for the peer’s address, whatever others it names', async () => {
    await start();
    const statuses: number[] = [];
    for (let sent = 0; sent < 2 * PER_MINUTE; sent += 1) statuses.push(await statusAs('bad', `203.0.113.${sent}`));
    expect(statuses.at(-1)).to.equal(429);
  });
});

describe('the count of refusals', () => {
  it('refusals are forgotten over a minute, a /64 of IPv6 is one client, and a refused key is accepted no longer', () => {
    let now = 0;
    const refusals = countRefusals(60, () => now);
    refusals.accepted('partner');
    for (let count = 0; count < 60; count += 1) refusals.refused(`2001:db8::${count.toString(16)}`, 'x');
    expect(refusals.waitSeconds('2001:db8:0:0:ffff::1', 'y')).to.equal(1);
    expect(refusals.waitSeconds('2001:db8:0:1::1', 'y')).to.equal(0);
    expect(refusals.waitSeconds('2001:db8::9', 'partner')).to.equal(0);
    refusals.refused('192.0.2.1', 'partner');
    expect(refusals.waitSeconds('2001:db8::9', 'partner')).to.equal(1);
    now = 1_000;
    expect(refusals.waitSeconds('2001:db8::9', 'y')).to.equal(0);
    now = 120_000;
    for (let count = 0; count < 60; count += 1) expect(refusals.waitSeconds('2001:db8::9', 'y')).to.equal(0);
  });
});
