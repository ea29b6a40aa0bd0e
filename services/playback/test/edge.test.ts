/** The edge of deploy/edge, a real nginx, in front of one replica. */
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { nginx } from '@vds/testkit/programs/nginx';
import { startEdge, type Edge } from '@vds/testkit/servers/edge';
import { openCuttingProxy, type CuttingProxy } from '@vds/testkit/harness/cutting-proxy';
import { testBucket, type TestBucket } from '@vds/testkit/harness/objects';
import { skipBecause } from '@vds/testkit/skip';
import { until } from '@vds/testkit/until';
import { expect } from 'chai';
import { SignJWT } from 'jose';
import { newFakeState, newSigner, servePeers, sign, type Signer } from './fake-services.ts';
import { putVideo, readyVideo, startPlayback, type Playback } from './playback.ts';

const segment = randomBytes(150_000);
const PATH = 'piece-0.1/v/seg-00000.m4s';

function idOf(name: string): string {
  return `pbk${name}`.padEnd(27, '0');
}
function seconds(offset: number): number {
  return Math.floor(Date.now() / 1_000) + offset;
}

describe('the edge', function () {
  this.timeout(120_000);
  const state = newFakeState();
  let bucket: TestBucket;
  let storage: CuttingProxy;
  let peers: Awaited<ReturnType<typeof servePeers>>;
  let playback: Playback;
  let signer: Signer;
  let edge: Edge;

  before(async function () {
    if (nginx() === null) skipBecause(this, 'there is no nginx');
    bucket = await testBucket();
    storage = await openCuttingProxy(bucket.endpoint, { records: true });
    signer = await newSigner('k1');
    state.keys = [signer.jwk];
    for (const name of ['one', 'two', 'archived', 'held', 'deleted', 'cold', 'lost']) {
      await putVideo(bucket, name, name === 'two' ? Buffer.from('another film') : segment);
      state.videos.set(idOf(name), readyVideo(name));
    }
    peers = await servePeers(state);
    playback = await startPlayback(peers.port, bucket, { endpoint: storage.url, freshMs: 300 });
    edge = await startEdge(playback.port);
  });
  after(async () => {
    await edge?.close();
    await playback?.close();
    await peers?.close();
    await storage?.close();
    await bucket?.drop();
  });

  const get = (name: string, token: string, path = PATH, init: RequestInit = {}): Promise<Response> =>
    fetch(`${edge.base}/p/${token}/${idOf(name)}/${path}`, { redirect: 'manual', ...init });
  const tokenFor = (name: string, claims: Record<string, unknown> = {}, by = signer): Promise<string> =>
    sign(by, idOf(name), claims);
  const bytesOf = async (response: Response): Promise<Buffer> => Buffer.from(await response.arrayBuffer());
  /** How often the file of a video was read from the bucket. */
  const reads = (name: string, path = PATH): number =>
    storage.sent().split(`GET /${bucket.bucket}/videos/${name}/1/${path} `).length - 1;

  it('a thousand tokens of one video get the same file, which is read from the bucket once', async () => {
    const tokens = await Promise.all(Array.from({ length: 1_000 }, (_, index) => tokenFor('one', { jti: `${index}` })));
    for (let index = 0; index < tokens.length; index += 50) {
      const group = await Promise.all(tokens.slice(index, index + 50).map((token) => get('one', token)));
      for (const response of group) {
        expect(response.status).to.equal(200);
        expect((await bytesOf(response)).equals(segment)).to.equal(true);
      }
    }
    expect(reads('one')).to.equal(1);
    expect(tokens.filter((token) => edge.output().includes(token.slice(-40)))).to.deep.equal([]);
  });

  it('two thousand requests at once for a cold file reach the bucket at most three times', async () => {
    const tokens = await Promise.all(Array.from({ length: 20 }, () => tokenFor('cold')));
    const answers = Array.from({ length: 2_000 }, async (_, index) => {
      const response = await get('cold', tokens[index % tokens.length] ?? '');
      return [response.status, (await response.arrayBuffer()).byteLength];
    });
    for (const answer of await Promise.all(answers)) expect(answer).to.deep.equal([200, segment.length]);
    expect(reads('cold')).to.be.within(1, 3);
  });

  it('a token of an excerpt gets its files from the edge, and none that the edge keeps for the whole video', async () => {
    const part = await tokenFor('one', { sub: `${idOf('one')}@0-5000` });
    const playlist = 'assemble.1/v/720p/index.m3u8';
    const board = 'assemble.1/storyboard.vtt';
    const all = await tokenFor('one');
    for (let turn = 0; turn < 2; turn += 1) {
      expect(await (await get('one', all, playlist)).text()).to.not.include('EXT-X-START');
      expect(await (await get('one', part, playlist)).text()).to.include('EXT-X-START');
      expect([(await get('one', all, board)).status, (await get('one', part, board)).status]).to.deep.equal([200, 404]);
      expect((await bytesOf(await get('one', part))).equals(segment)).to.equal(true);
    }
  });

  it('a range, a tag and HEAD are answered from the cache as playback answers them', async () => {
    const token = await tokenFor('one');
    const part = await get('one', token, PATH, { headers: { range: 'bytes=1000-1999' } });
    expect([part.status, part.headers.get('content-range')]).to.deep.equal([206, `bytes 1000-1999/${segment.length}`]);
    expect((await bytesOf(part)).equals(segment.subarray(1_000, 2_000))).to.equal(true);
    const etag = part.headers.get('etag') ?? '';
    expect(etag).to.match(/^"/);
    expect((await get('one', token, PATH, { headers: { 'if-none-match': etag } })).status).to.equal(304);
    const head = await get('one', token, PATH, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).to.deep.equal([200, String(segment.length)]);
    expect(part.headers.get('cache-control')).to.equal('private, max-age=3600, immutable');
    expect(part.headers.get('access-control-allow-origin')).to.equal('*');
    for (const name of ['x-accel-expires', 'x-vds-media']) expect(part.headers.get(name)).to.equal(null);
  });

  it('every token that is not good for the video is refused as by playback, with the file in the cache', async () => {
    const [unknown, none] = [await newSigner('k1'), await unsigned(idOf('one'))];
    const retired = await newSigner('k0');
    const table: readonly (readonly [token: string, status: number, code: string])[] = [
      [await tokenFor('two'), 403, 'token_of_other_video'],
      [await tokenFor('one', { exp: seconds(-31) }), 403, 'token_expired'],
      [await tokenFor('one', {}, unknown), 401, 'token_invalid'],
      [await tokenFor('one', {}, retired), 401, 'token_invalid'],
      [await tokenFor('one', { aud: 'another' }), 401, 'token_invalid'],
      [none, 401, 'token_invalid'],
      ['x', 401, 'token_invalid'],
    ];
    for (const [token, status, code] of [...table, ...table]) {
      const response = await get('one', token);
      expect(response.status, code).to.equal(status);
      expect(await response.json()).to.have.nested.property('error.code', code);
    }
    expect((await bytesOf(await get('two', await tokenFor('two')))).toString()).to.equal('another film');
  });

  it('a token is refused from its expiry on, although the edge has just let it in', async () => {
    const token = await tokenFor('one', { exp: seconds(-25) }); // accepted for 30 s more
    expect((await get('one', token)).status).to.equal(200);
    await until(async () => (await get('one', token)).status === 403, { what: 'the token expires', capMs: 10_000 });
  });

  it('an archived, a held and a deleted video are closed within their times', async () => {
    const names = ['archived', 'held', 'deleted'] as const;
    const tokens = new Map(await Promise.all(names.map(async (name) => [name, await tokenFor(name)] as const)));
    const statusOf = async (name: string): Promise<number> =>
      (await get(name, tokens.get(name as 'held') ?? '')).status;
    for (const name of names) expect(await statusOf(name)).to.equal(200);
    const closedAt = performance.now();
    const closesAt = closedAt + 18_000;
    state.videos.set(idOf('archived'), { ...readyVideo('archived', 2), state: 'VIDEO_STATE_ARCHIVED', closesAt });
    state.videos.set(idOf('held'), { ...readyVideo('held', 2), state: 'VIDEO_STATE_ARCHIVED', held: true });
    state.videos.delete(idOf('deleted'));
    for (const name of ['held', 'deleted'])
      await until(async () => (await statusOf(name)) === 404, {
        what: `${name} is closed`,
        capMs: 20_000,
        everyMs: 250,
      });
    if (performance.now() < closesAt - 1_500) expect(await statusOf('archived')).to.equal(200);
    await until(async () => (await statusOf('archived')) === 404, { what: 'the archived is closed', everyMs: 250 });
    expect(performance.now()).to.be.within(closesAt - 1_500, closesAt + 2_500);
  });

  it('captions and the master playlist are another object for each version of their video', async () => {
    const token = await tokenFor('one');
    expect(await (await get('one', token, 'master.m3u8')).text()).to.not.include('LANGUAGE="de"');
    const tracks = [{ language: 'de', name: 'Deutsch', kind: 'captions', playlistKey: 'videos/one/1/c.1/index.m3u8' }];
    state.videos.set(idOf('one'), { ...readyVideo('one', 2), tracks } as never);
    const other = await tokenFor('one', { jti: 'another' });
    await until(async () => (await (await get('one', other, 'master.m3u8')).text()).includes('LANGUAGE="de"'), {
      what: 'the master names the track',
    });
  });

  it('published addresses, thumbnails, reports and unknown paths are answered as by playback', async () => {
    const token = await tokenFor('one');
    const entry = await fetch(`${edge.base}/${idOf('one')}.m3u8?token=${token}`, { redirect: 'manual' });
    expect([entry.status, entry.headers.get('location')]).to.deep.equal([302, `p/${token}/${idOf('one')}/master.m3u8`]);
    expect((await fetch(`${edge.base}/t/${idOf('one')}.jpg`)).status).to.equal(200);
    expect((await get('one', token, 'events', { method: 'POST', body: 'x' })).status).to.equal(204);
    const options = await get('one', token, PATH, { method: 'OPTIONS' });
    const own = await playback.get(`/p/${token}/${idOf('one')}/${PATH}`, { method: 'OPTIONS' });
    for (const name of ['access-control-allow-origin', 'access-control-allow-methods', 'access-control-allow-headers'])
      expect(options.headers.get(name), name).to.equal(own.headers.get(name));
    expect(options.status).to.equal(204);
    expect((await get('one', token, PATH, { method: 'DELETE' })).status).to.equal(404);
    expect((await get('one', token, 'assemble.1/ladder.json')).status).to.equal(404);
    for (const path of ['/gate', `/gate/${idOf('one')}`, '/nothing', `/p/${token}/${idOf('one')}/../../gate`])
      expect(await rawStatus(edge.port, path), path).to.equal(404);
    expect((await fetch(`${edge.admin}/readyz`)).status).to.equal(200);
    expect(await (await fetch(`${edge.admin}/metrics`)).text()).to.include('vds_edge_connections{state="active"}');
  });

  it('many who want a file that is missing are told so at once', async () => {
    const token = await tokenFor('two');
    const answers = await Promise.all(Array.from({ length: 200 }, () => get('two', token, 'piece-0.1/v/none.m4s')));
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([404]));
    // One after the other, half a second apart, each would have asked for itself.
    expect(storage.sent().split('/v/none.m4s').length - 1).to.be.within(1, 20);
  });

  it('a replica whose gate is of another attempt says that its response is not to be kept', async () => {
    const path = `/p/${await tokenFor('one')}/${idOf('one')}/${PATH}`;
    const expires = async (media?: string): Promise<string | null> => {
      const headers = { ...(media !== undefined && { 'x-vds-edge': media }) };
      return (await playback.get(path, { headers })).headers.get('x-accel-expires');
    };
    expect(await expires('videos/one/1/')).to.equal('86400');
    expect(await expires('videos/one/2/')).to.equal('0');
    expect(await expires()).to.equal(null);
  });

  it('a video that is republished plays again, and staff sees an archived one', async () => {
    const [viewer, staff] = [await tokenFor('two'), await tokenFor('two', { preview: 'staff' })];
    const archived = { ...readyVideo('two', 5), state: 'VIDEO_STATE_ARCHIVED' as const, closesAt: performance.now() };
    state.videos.set(idOf('two'), archived);
    await until(async () => (await get('two', viewer)).status === 404, { what: 'it is closed', everyMs: 250 });
    expect((await get('two', staff)).status).to.equal(200);
    state.videos.set(idOf('two'), readyVideo('two', 6));
    await until(async () => (await get('two', viewer)).status === 200, { what: 'it plays again', everyMs: 250 });
  });

  it('viewers go on while auth and catalog are gone, and while playback is, whose token the edge knows', async () => {
    const [known, fresh] = [await tokenFor('lost'), await tokenFor('lost', { jti: 'never seen' })];
    expect((await get('lost', known)).status).to.equal(200);
    await peers.close();
    expect((await get('lost', fresh)).status).to.equal(200);
    await playback.close();
    // The gate's answer is older than it may be unasked.
    await until(async () => edge.output().includes('"gate":"STALE"') || (await get('lost', known)).status !== 200, {
      what: 'the edge has to ask',
      everyMs: 250,
    });
    expect((await bytesOf(await get('lost', known))).equals(segment)).to.equal(true);
    const stranger = await get('lost', await tokenFor('lost', { jti: 'a third' }));
    expect([stranger.status, stranger.headers.get('retry-after')]).to.deep.equal([503, '1']);
    const report = await get('lost', known, 'events', { method: 'POST', body: 'x' });
    expect([report.status, report.headers.get('access-control-allow-origin')]).to.deep.equal([503, '*']);
    expect((await get('lost', known, PATH, { method: 'OPTIONS' })).status).to.equal(204);
  });
});

/** A token that claims to need no signature (RFC 7518 §3.6). */
async function unsigned(playbackId: string): Promise<string> {
  const { key } = await newSigner('k1');
  const claims = { iss: 'vds-auth', aud: 'vds-playback', sub: playbackId, iat: seconds(0), exp: seconds(60) };
  const token = await new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'k1' }).sign(key);
  const header = Buffer.from('{"alg":"none","kid":"k1"}').toString('base64url');
  return [header, token.split('.')[1], ''].join('.');
}

/** Sends the path unchanged. */
async function rawStatus(port: number, path: string): Promise<number> {
  const socket = connect(port, '127.0.0.1');
  socket.write(`GET ${path} HTTP/1.1\r\nhost: edge\r\nconnection: close\r\n\r\n`);
  return Number(/^HTTP\/1\.1 (\d+)/.exec(await text(socket))?.[1]);
}
