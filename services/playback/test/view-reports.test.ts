import { expect } from 'chai';
import fc from 'fast-check';
import type { ViewReported } from '@vds/proto/generated/vds/playback/v1/ViewReported.ts';
import { until } from '@vds/testkit/until';
import { occurredAt, readReport, readSegmentRequest } from '../src/domain/view-report.ts';
import { readCmcd } from '../src/outbound/decode-cmcd.ts';
import { sign } from './fake-services.ts';
import { startPlayback, type Playback } from './playback.ts';
import { viewerFixture } from './viewer-fixture.ts';

const LINE =
  'cid="pbk1abcdefghijklmnopqrstuvw",com.vds-pos=8910,com.vds-seen=31,com.vds-w=8720,com.vds-st=250,com.vds-sc=1,com.vds-su=480,' +
  'com.vds-dev="d-1",e=t,bl=(39900),br=(300),mtp=(92200),sid="b67a",sn=5,sta=p,ts=1795374277090,v=2';

describe('reading a report of a view', () => {
  it('a line of CMCD version 2 becomes a report with our counters', () => {
    expect(readReport(readCmcd(LINE) ?? {})).to.deep.equal({
      ...{ viewId: 'b67a', number: 5, eventType: 'time', state: 'playing', occurredAtMs: 1_795_374_277_090 },
      ...{
        deviceId: 'd-1',
        errorCode: '',
        fatal: false,
        asked: true,
        positionMs: 8_910,
        watchedMs: 8_720,
        stalledMs: 250,
      },
      ...{ stalls: 1, startupMs: 480, seen: 31, bitrateKbps: 300, throughputKbps: 92_200, bufferMs: 39_900 },
    });
  });

  it('an error of a player has its code, and a failed view is fatal', () => {
    const line = 'e=e,ec=("manifestLoadError"),sid="x",sn=1,sta=f,v=2';
    expect(readReport(readCmcd(line) ?? {})).to.include({
      eventType: 'error',
      errorCode: 'manifestLoadError',
      fatal: true,
    });
  });

  it('what our player module says of a fatal error that hls.js itself does not report is an error, and fatal', () => {
    const line = 'cen=fail,com.vds-err="fragLoadError",e=ce,sid="x",sn=2,sta=r,v=2';
    expect(readReport(readCmcd(line) ?? {})).to.include({
      ...{ eventType: 'error', errorCode: 'fragLoadError', fatal: true, state: 'rebuffering' },
    });
  });

  it('whatever a line says, a report has only values within their bounds', () =>
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom(
            'sid',
            'sn',
            'e',
            'sta',
            'ts',
            'ec',
            'br',
            'bl',
            'com.vds-w',
            'com.vds-seen',
            'com.vds-err',
            'cen',
          ),
          fc.oneof(
            fc.string(),
            fc.double(),
            fc.integer(),
            fc.boolean(),
            fc.array(fc.anything(), { maxLength: 2 }),
            fc.constantFrom('t', 'e', 'ps', 'p', 'f', 'b67a', 'fail', 'constructor'),
          ),
        ),
        (cmcd) => {
          const report = readReport(cmcd);
          if (!report) return;
          expect(report.viewId).to.match(/^[\w.-]{1,64}$/);
          for (const value of Object.values(report))
            if (typeof value === 'number') expect(Number.isSafeInteger(value) && value >= 0).to.equal(true);
            else if (typeof value === 'string') expect(value.length).to.be.at.most(64);
        },
      ),
    ));

  it('lines that are no report are none, and no line throws', () => {
    for (const line of ['', 'CMCD=bl', '{"a":1}', 'e=t,sid="x"', 'e=t,sn=1', 'e=rr,sid="x",sn=1', 'sid="a b",sn=1,e=t'])
      expect(readReport(readCmcd(line) ?? {}), line).to.equal(undefined);
    fc.assert(fc.property(fc.string(), (line) => void readReport(readCmcd(line) ?? {})));
  });

  it('a viewer’s clock counts between the making of the token and our receipt; else the receipt does', () => {
    const now = 1_795_374_277_090;
    const madeAt = now - 3_600_000;
    expect(
      [now + 5, now - 5, madeAt, madeAt - 1, now - 2 * 86_400_000, undefined].map((at) => occurredAt(at, madeAt, now)),
    ).to.deep.equal([now, now - 5, madeAt, now, now, now]);
    // By the clock of another machine a token may be made a little ahead of ours.
    expect(occurredAt(now - 5, now + 700, now)).to.equal(now);
  });

  it('only requests for media of a named view count as watched, and sound beside pictures adds nothing', () => {
    const request = 'bl=2000,br=300,bs,d=2000,ot=av,sid="db8f"';
    expect(readSegmentRequest(readCmcd(request) ?? {})).to.include({ viewId: 'db8f', watchedMs: 2_000, starved: true });
    expect(readSegmentRequest(readCmcd('d=2000,ot=a,sid="db8f"') ?? {})).to.include({ watchedMs: 0 });
    for (const other of ['d=2000,ot=m,sid="x"', 'd=2000,ot=v', 'ot=v,sid="x"'])
      expect(readSegmentRequest(readCmcd(other) ?? {}), other).to.equal(undefined);
  });
});

describe('reports of views over HTTP', () => {
  const viewer = viewerFixture(Buffer.alloc(1_000, 's'));
  const reports: ViewReported[] = [];
  let playback: Playback;
  let published = Promise.resolve();
  before(async () => {
    playback = await startPlayback(viewer.peersPort, viewer.bucket, {
      onReport: async (report) => {
        await published;
        reports.push(report);
      },
      countryOf: () => 'DE',
    });
  });
  after(() => playback.close());
  beforeEach(() => void reports.splice(0));
  const post = (body: string, path = `${viewer.under}/events`) =>
    playback.get(path, { method: 'POST', body, headers: { 'user-agent': 'Mozilla/5.0 (Web0S)' } });

  it('each line of a beacon is published once, with the viewer of the token and without the token or an address', async () => {
    const token = await sign(viewer.signer, 'pbk1abcdefghijklmnopqrstuvw', { viewer: 'hash-of-ann' });
    const response = await post(
      `${LINE}\nnonsense\n${LINE.replace('sn=5', 'sn=6')}\n`,
      `/p/${token}/pbk1abcdefghijklmnopqrstuvw/events`,
    );
    expect(response.status).to.equal(204);
    expect(response.headers.get('access-control-allow-origin')).to.equal('*');
    await until(() => reports.length === 2, { what: 'two reports' });
    expect(reports.map(({ eventId }) => eventId)).to.deep.equal(
      [5, 6].map((number) => `pbk1abcdefghijklmnopqrstuvw-b67a-${number}`),
    );
    expect(reports[0]).to.deep.include({
      ...{
        videoId: 'v1',
        playbackId: 'pbk1abcdefghijklmnopqrstuvw',
        viewer: 'hash-of-ann',
        country: 'DE',
        userAgent: 'Mozilla/5.0 (Web0S)',
      },
      ...{ watchedMs: 8_720, stalls: 1 },
    });
    expect(JSON.stringify(reports)).not.to.include(token).and.not.to.include('127.0.0.1');
    expect(await playback.metric('vds_playback_view_reports_total', { outcome: 'rejected' })).to.equal(1);
  });

  it('a beacon without a valid token of the video is rejected, and so is one of more than 16 KiB', async () => {
    const foreign = await sign(viewer.signer, 'pbk2abcdefghijklmnopqrstuvw');
    expect((await post(LINE, `/p/${foreign}/pbk1abcdefghijklmnopqrstuvw/events`)).status).to.equal(403);
    expect((await post(LINE, '/p/not.a.token/pbk1abcdefghijklmnopqrstuvw/events')).status).to.equal(401);
    expect((await post('x'.repeat(16 * 1024 + 1))).status).to.equal(400);
    expect((await playback.get(`${viewer.under}/events`)).status).to.equal(404);
    expect(reports).to.deep.equal([]);
  });

  it('one session that plays two videos makes two views, whose reports are never taken for each other', async () => {
    const token = await sign(viewer.signer, 'pbk2abcdefghijklmnopqrstuvw');
    await post('e=t,sid="shaka",sn=1,com.vds-w=4000');
    await post('e=t,sid="shaka",sn=1,com.vds-w=2000', `/p/${token}/pbk2abcdefghijklmnopqrstuvw/events`);
    await until(() => reports.length === 2, { what: 'two reports' });
    expect(reports.map(({ viewId, videoId, watchedMs }) => [viewId, videoId, watchedMs])).to.have.deep.members([
      ['shaka', 'v1', 4_000],
      ['shaka', 'v2', 2_000],
    ]);
    expect(new Set(reports.map(({ eventId }) => eventId)).size).to.equal(2);
  });

  it('what a device that is two days slow reports happened when it came, not before its token was made', async () => {
    const before = Date.now();
    await post(`e=t,sid="slow",sn=1,ts=${before - 2 * 86_400_000}`);
    await post(`e=t,sid="right",sn=1,ts=${before}`);
    await until(() => reports.length === 2, { what: 'two reports' });
    const at = new Map(reports.map(({ viewId, occurredAtMs }) => [viewId, Number(occurredAtMs)]));
    expect(at.get('slow')).to.be.within(before, Date.now());
    expect(at.get('right')).to.equal(before);
  });

  it('a viewer waits for no report: while NATS takes none, 204 comes at once and what is too much is dropped', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    published = promise;
    const lines = Array.from({ length: 100 }, (_line, index) => LINE.replace('sn=5', `sn=${index}`).slice(0, 150));
    const short = lines.map((_line, index) => `e=t,sid="v",sn=${index}`).join('\n');
    for (let n = 0; n < 25; n += 1) expect((await post(short)).status).to.equal(204);
    expect(await playback.metric('vds_playback_view_reports_total', { outcome: 'dropped' })).to.equal(500);
    published = Promise.resolve();
    resolve();
    await until(() => reports.length === 2_000, { what: 'what waited' });
  });

  it('requests with CMCD of version 1 make a coarse view of their own, reported at most every ten seconds', async () => {
    const segment = `${viewer.under}/piece-0.1/v/seg-00000.m4s`;
    const cmcd = encodeURIComponent('br=300,d=6000,ot=v,sid="native"');
    for (let n = 0; n < 3; n += 1) expect((await playback.get(`${segment}?CMCD=${cmcd}`)).status).to.equal(200);
    await until(() => reports.length === 1, { what: 'a report' });
    expect(reports[0]).to.deep.include({ viewId: 'native', eventType: 'segment', watchedMs: 6_000, videoId: 'v1' });
    expect(reports[0]?.source).to.match(/^[0-9a-f]{12}$/);
    const headers = { 'cmcd-object': 'd=6000,ot=v', 'cmcd-session': 'sid="headers"' };
    expect((await playback.get(segment, { headers })).status).to.equal(200);
    await until(() => reports.length === 2, { what: 'the report of the other view' });
  });
});
