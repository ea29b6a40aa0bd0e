/**
 * Every secret of a release is replaced while it serves partners, viewers, apps and staff: the three steps of
 * deploy/guide/rotation.md, each with its rollout.
 */
import { expect } from 'chai';
import { skipBecause } from '@vds/testkit/skip';
import { readableBy, serverConnections } from '@vds/testkit/stack/shared-servers';
import { lasts, until } from '@vds/testkit/until';
import { spokenClip } from '../chaos/short-clips.ts';
import { appsOf, type Apps } from '../harness/apps-client.ts';
import { openRolling, type Rolling } from '../harness/host/rolling.ts';
import { openRotation, type Rotation, type Step } from '../harness/host/rotation.ts';
import { openTlsReleases, type TlsRelease, type TlsReleases } from '../harness/host/tls-releases.ts';
import { openOperatorClient, type OperatorClient } from '../harness/operator-client.ts';
import type { VideoRecord } from '../harness/partner-client.ts';
import { targetKind } from '../harness/target-kind.ts';
import { walkHls } from '../hls/walk.ts';
import { beginLoad, type Load, type RequestKind } from './load.ts';

const TITLE = 'A goal before the rotation';
const PER_SECOND = 10;
/** What a step breaks shows within this time. */
const SETTLES_MS = 5_000;

type Callers = { readonly apps: Apps; readonly operator: OperatorClient };

describe('every secret is rotated in three steps while the release serves', function () {
  this.timeout(900_000);
  this.bail(true); // each step needs the one before
  let opened: TlsReleases;
  let release: TlsRelease;
  let rotation: Rotation;
  let rolling: Rolling;
  let load: Load;
  let video: VideoRecord;
  /** The newest last. */
  const callers: Callers[] = [];
  const strangers: Apps[] = [];
  const caller = (): Callers => callers.at(-1) ?? expect.fail('no caller yet');

  const openCallers = async (step: Step): Promise<void> => {
    const site = { ...release.site, clientTls: await rotation.clientTls(step), tokens: rotation.tokens(step) };
    callers.push({ apps: appsOf(site), operator: openOperatorClient(site) });
  };
  const statusOf = async (url: string, how: RequestInit = {}): Promise<number> => {
    const response = await fetch(url, { ...how, signal: AbortSignal.timeout(30_000) });
    await response.arrayBuffer();
    return response.status;
  };
  const firstIn = async (playlist: string): Promise<string> => {
    const lines = (await (await fetch(playlist)).text()).split('\n');
    return new URL(lines.find((line) => line !== '' && !line.startsWith('#')) ?? '', playlist).href;
  };

  const requests = async (source: string): Promise<RequestKind[]> => {
    const playbackId = video.playback?.playback_id ?? '';
    const token = await caller().operator.mint(playbackId, 3_600_000);
    const master = `/p/${token}/${playbackId}/master.m3u8`;
    const segment = new URL(await firstIn(await firstIn(`${rolling.url('playback')}${master}`))).pathname;
    const authorization = { authorization: `Bearer ${release.partner.key}` };
    const post = {
      method: 'POST',
      headers: { ...authorization, 'content-type': 'application/json', 'idempotency-key': 'the same' },
      body: JSON.stringify({ source_url: source, title: 'Submitted once' }),
    };
    const gateway = (path: string, how: RequestInit) => () => statusOf(`${rolling.url('gateway')}${path}`, how);
    const playback = (path: string) => () => statusOf(`${rolling.url('playback')}${path}`);
    return [
      { what: 'GET', expected: 200, send: gateway(`/v1/videos/${video.id}`, { headers: authorization }) },
      { what: 'POST', expected: 202, send: gateway('/v1/videos', post) },
      { what: 'playlist', expected: 200, send: playback(master) },
      { what: 'segment', expected: 200, send: playback(segment) },
      { what: 'thumbnail', expected: 200, send: playback(`/t/${playbackId}.jpg`) },
      { what: 'search', expected: 1, send: async () => Number(await caller().apps.finds(TITLE, video.id)) },
      { what: 'mint', expected: 1, send: async () => Number((await caller().operator.mint(playbackId)) !== '') },
      { what: 'staff', expected: 1, send: async () => Number(await caller().operator.mayAdminister()) },
    ];
  };

  /** The users of the release's connections, without its prefix. */
  const connectedUsers = async (): Promise<string[]> => {
    const { connections } = await serverConnections(opened.tls);
    return [...new Set(connections.map(({ user }) => user).filter((user) => user.startsWith(release.name)))];
  };
  const publishes = async (title: string): Promise<void> => {
    const id = await release.partner.submit(await opened.source.serve(await spokenClip()), { title });
    const { status, failure, playback } = await release.partner.settled(id);
    expect(status, JSON.stringify(failure)).to.equal('ready');
    await until(() => caller().apps.finds(title, id), { what: `${title} is found`, capMs: 60_000 });
    const token = await caller().operator.mint(playback?.playback_id ?? '');
    const { breaches } = await walkHls(`${playback?.hls_url}?token=${token}`, opened.scratch(id));
    expect(breaches).to.deep.equal([]);
    video = await release.partner.get(id);
  };
  const performed = async (step: Step): Promise<void> => {
    load.tally();
    await rotation.before(step);
    await openCallers(step);
    await rolling.rollOut((service) => rotation.settings(step, service));
    await rotation.after(step);
    await lasts(SETTLES_MS);
    const { sent, failures, slowestMs } = load.tally();
    console.log(`      ${sent} requests, ${failures.length} failed, slowest ${slowestMs.toFixed(0)} ms`);
    expect(failures).to.deep.equal([]);
    expect(sent).to.be.greaterThan(100);
  };

  before(async function () {
    if (targetKind() !== 'host') skipBecause(this, 'opens its own release, as processes of this host');
    if (process.platform !== 'linux') skipBecause(this, 'reads the environment and connections of processes in /proc');
    if (process.env['VDS_LONG'] !== '1') skipBecause(this, 'takes minutes: npm run test:long');
    opened = await openTlsReleases(['turn'], { auth: 2, catalog: 2, indexer: 2, gateway: 2, playback: 2 });
    [release] = opened.releases as [TlsRelease];
    rotation = await openRotation(opened.tls, release);
    rolling = openRolling(release.stack);
    callers.push({ apps: release.apps, operator: openOperatorClient(release.site) });
    await publishes(TITLE);
    load = beginLoad(PER_SECOND, await requests(await opened.source.serve(await spokenClip())));
    await lasts(SETTLES_MS);
    expect(load.tally().failures).to.deep.equal([]);
  });
  after(async () => {
    await load?.end();
    for (const one of [...callers.flatMap(({ apps, operator }) => [apps, operator]), ...strangers]) await one.close();
    await opened?.close();
  });

  it('first, servers and callees accept what comes beside what was, and no request fails', async () => {
    await performed('prepare');
    expect((await connectedUsers()).filter((user) => /[-_]b$/.test(user))).to.deep.equal([]);
  });

  it('then the release logs in as the other users with the other tokens and certificates, and no request fails', async () => {
    await performed('switch');
    expect((await connectedUsers()).filter((user) => !/[-_]b$/.test(user))).to.deep.equal([]);
  });

  it('last, what was is accepted nowhere, and no request fails', async () => {
    await performed('retire');
    const refused = await readableBy(opened.tls, rotation.old, release.name);
    expect(refused.PostgreSQL).to.match(/not permitted to log in/);
    expect(refused.NATS).to.match(/authorization/i);
    expect(refused.S3).to.match(/no access|denied/i);
    expect(refused.OpenSearch).to.match(/401/);
    const oldTokens = { ...release.site, clientTls: await rotation.clientTls('retire') };
    const [byToken, byCertificate] = [
      appsOf(oldTokens),
      appsOf({ ...release.site, tokens: rotation.tokens('retire') }),
    ];
    strangers.push(byToken, byCertificate);
    const codeOf = (apps: Apps) => apps.finds(TITLE, video.id).catch(({ code }: { code?: string }) => code);
    expect(await codeOf(byToken)).to.equal('UNAUTHENTICATED');
    expect(await codeOf(byCertificate)).to.equal('UNAVAILABLE');
  });

  it('a clip submitted after the rotation becomes ready, is found and plays', async () => {
    load.tally();
    await publishes('A goal after the rotation');
    expect(load.tally().failures).to.deep.equal([]);
  });
});
