/**
 * One view in a real browser, from the screen to the organization's SQL: what the page's own log says was played, stalled
 * and failed is what the warehouse says.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { openPages, type Pages } from '@vds/scripts/demo/open-pages';
import { makeLongClip } from '@vds/testkit/media/make-clip';
import { requireChromium } from '@vds/testkit/programs/chromium';
import { askClickHouse, clickhouseAdapter } from '@vds/testkit/programs/clickhouse';
import { skipBecause } from '@vds/testkit/skip';
import { partnerAt } from '@vds/testkit/stack/partner';
import { indexPrefix } from '@vds/deploy-tools/installation';
import { until } from '@vds/testkit/until';
import { grantOrganization, revokeOrganization } from '@vds/deploy-tools/provision/analytics-grants';
import { vdsctl } from '@vds/vdsctl/inbound/vdsctl';
import { bare } from '../harness/apps-client.ts';
import type { HostTarget } from '../harness/host/host.ts';
import type { Partner, VideoRecord } from '../harness/partner-client.ts';
import { theHost } from '../harness/shared-target.ts';
import { objectsOf } from '../probes/leftovers.ts';
import { foundIn, logsOf, tablesOf } from '../probes/secret-scan.ts';
import { launchBrowser, openPlayer, type OpenedPlayer } from './open-player.ts';

/**
 * Runs in the page before anything else. It sees media events before any other listener, and samples the position of the
 * picture: what moved is what was watched, whatever the player says.
 */
const LOG = `
  const seen = { moved: 0, waits: 0, waited: 0 };
  let last, waitingSince, seeking = false, started = false;
  const video = () => document.querySelector('video');
  setInterval(() => {
    const at = video()?.currentTime;
    if (at === undefined) return;
    if (last !== undefined && at > last && at - last < 0.5) seen.moved += (at - last) * 1000;
    last = at;
  }, 20);
  const waits = () => (waitingSince === undefined ? 0 : performance.now() - waitingSince);
  const endWait = () => {
    seen.waited += waits();
    waitingSince = undefined;
  };
  Object.defineProperty(window, 'seenByTest', { get: () => ({ ...seen, waited: seen.waited + waits() }) });
  document.addEventListener('seeking', () => { seeking = true; endWait(); }, true);
  document.addEventListener('playing', () => { seeking = false; started = true; endWait(); }, true);
  document.addEventListener('pause', endWait, true);
  document.addEventListener('waiting', () => {
    if (seeking || !started || waitingSince !== undefined) return;
    waitingSince = performance.now();
    seen.waits += 1;
  }, true);
`;
const VIEWER = 'ann@example.org';
type Log = { readonly moved: number; readonly waits: number; readonly waited: number };

describe('performance data of a view in a browser', function () {
  this.timeout(240_000);
  let target: HostTarget;
  let partner: Partner;
  let video: VideoRecord;
  let browser: Browser | undefined;
  let pages: Pages;
  let player: OpenedPlayer;
  /** What the organization's view says of the play. */
  let own: Record<string, unknown>;

  before(async function () {
    const chromium = requireChromium(this);
    target = await theHost(this);
    partner = await target.newPartner('Watched');
    await target.newPartner('Rival');
    const id = await partner.submit(await target.serve(await makeLongClip()), { title: 'A watched match' });
    video = await partner.settled(id);
    const token = (playbackId: string, seconds: number) => target.mint(playbackId, seconds * 1_000, VIEWER);
    const { base, key } = partner;
    pages = await openPages({ stack: target.site, operator: { token }, partner: partnerAt(base, key), videos: [id] });
    browser = await launchBrowser(chromium);
    player = await openPlayer(browser, pages.url, { initScript: LOG });
  });
  after(async () => {
    await player?.close();
    await browser?.close();
    await pages?.close();
  });

  const query = async <Row>(sql: string, organization = 'Watched'): Promise<Row[]> => {
    let text = '';
    const write = (part: string) => void (text += part);
    const env = join(target.stack.dir, 'vdsctl.env');
    const argv = ['analytics', 'query', sql, '--organization', organization, '--env', env, '--json'];
    expect(await vdsctl(argv, { environment: {}, out: write, err: write }), text).to.equal(0);
    return (JSON.parse(text) as { rows: Row[] }).rows;
  };
  const log = (): Promise<Log> => player.page.evaluate<Log>('seenByTest');
  const element = (script: string): Promise<unknown> =>
    player.page.evaluate(`document.querySelector('video').${script}`);

  it('the organization’s views say what was seen: time, a seek, a pause, a stall and a fatal error', async () => {
    const { page, playedPast, throttle } = player;
    await playedPast(4);
    await element('pause()');
    await until(async () => element('paused'), { what: 'the pause' });
    await element('play()');
    await playedPast(6);
    await element('currentTime = 40');
    await playedPast(42);
    // Nothing comes any more until the buffer is empty.
    await throttle(1);
    await until(async () => (await log()).waited > 2_000, {
      what: 'a stall of two seconds',
      capMs: 120_000,
      everyMs: 50,
    });
    await throttle(null);
    await until(async () => element('readyState > 2'), { what: 'the picture moves again', capMs: 60_000 });
    await partner.archive(video.id);
    await until(async () => (await player.shown())['state'] === 'failed', {
      what: 'it fails',
      capMs: 90_000,
      everyMs: 50,
    });
    expect(await page.locator('#notice').textContent()).to.include('archived');
    const seen = await log();
    const sentAt = performance.now();

    const plays = await until(
      async () => {
        const rows = await query<Record<string, unknown>>('SELECT * FROM plays');
        return rows.length === 1 && rows[0]?.['has_failed'] === true && rows;
      },
      { what: 'the play in the views', capMs: 60_000, everyMs: 500 },
    );
    const seconds = (performance.now() - sentAt) / 1_000;
    const [play = {}] = plays;
    own = play;
    expect(Number(play['watched_ms'])).to.be.closeTo(seen.moved, 500);
    expect(Number(play['stalls'])).to.equal(seen.waits);
    expect(Number(play['stalled_ms'])).to.be.closeTo(seen.waited, 500);
    expect(play).to.include({ video_title: 'A watched match', device_type: 'desktop' });
    expect(String(play['error_code'])).to.match(/LoadError/);
    expect(Number(play['startup_ms'])).to.be.within(1, 30_000);
    console.log(
      `      watched ${String(play['watched_ms'])} ms (seen ${Math.round(seen.moved)}), stalls ${String(play['stalls'])} of ${seen.waits}, stalled ${String(play['stalled_ms'])} ms (seen ${Math.round(seen.waited)}), ${String(play['error_code'])}; in the views ${seconds.toFixed(1)} s after the last event`,
    );
  });

  it('another organization sees nothing of it, and no event has a token or an address', async () => {
    expect(await query('SELECT * FROM events', 'Rival')).to.deep.equal([]);
    const events = JSON.stringify(await query('SELECT * FROM events'));
    expect(events).to.not.match(/eyJ[\w-]{20}|127\.0\.0\.1|HeadlessChrome\//);
    expect(events).to.not.include(VIEWER);
  });

  it('no store but that of analytics has the viewer, by the app’s name or by the one of the views', async () => {
    const { stack } = target;
    const hash = String(own['viewer_id']);
    expect(hash).to.match(/^[\w-]{16}/);
    const indexed = await until(
      async () => {
        const found = await fetch(`${stack.servers.opensearch?.url}/${indexPrefix(stack.name)}*/_search?size=1000`);
        const text = await found.text();
        return text.includes(bare(video.id)) && text;
      },
      { what: 'the video is indexed' },
    );
    const places: Record<string, string> = {
      ...(await tablesOf(stack)),
      ...logsOf(stack),
      ...(await objectsOf(target.site, stack.buckets.analytics)),
      OpenSearch: indexed,
    };
    expect(Object.keys(places).length).to.be.above(50);
    // What is searched does have the video.
    const withVideo = foundIn(places, [bare(video.id)]).map((place) => place.split(' ')[0]);
    expect(withVideo).to.include.members(['OpenSearch', 'database', 'log']);
    expect(foundIn(places, [VIEWER, hash])).to.deep.equal([]);
  });

  it('another engine with a credential of the organization reads the same from its files, and no other file', async function () {
    const adapter = clickhouseAdapter();
    if (!adapter) skipBecause(this, 'needs the Python package chdb: VDS_CHDB_PYTHON names a Python that has it');
    const { servers, name: prefix, buckets } = target.stack;
    const [{ organization_id: organizationId = '' } = {}] = await query<{ organization_id?: string }>(
      'SELECT organization_id FROM events LIMIT 1',
    );
    const grantee = { organizationId, prefix, bucket: buckets.analytics };
    const given = await grantOrganization(servers, grantee);
    const value = (field: string): string => new RegExp(`^${field} +(.+)$`, 'm').exec(given)?.[1] ?? '';
    const filled = (text: string): string =>
      text
        .replaceAll('<endpoint>', value('endpoint'))
        .replaceAll('<bucket>', buckets.analytics)
        .replaceAll('<key>', value('access key'))
        .replaceAll('<secret>', value('secret'));
    const sql = filled(await readFile(new URL('../../deploy/warehouse/clickhouse.sql', import.meta.url), 'utf8'));
    const views = sql
      .replace(/^--.*$/gm, '')
      .split(/;\n/)
      .filter((one) => one.trim() !== '');
    const ask = (organization: string, last: string) =>
      askClickHouse<Record<string, unknown>>(adapter.python, [
        ...views.map((view) => view.replace('<organization>', organization)),
        last,
      ]);
    const [play = {}] = await ask(organizationId, 'SELECT * FROM plays');
    for (const figure of ['watched_ms', 'stalled_ms', 'stalls', 'startup_ms', 'seen', 'video_duration_ms'])
      expect(Number(play[figure]), figure).to.equal(Number(own[figure]));
    expect(play).to.include({ view_id: own['view_id'], error_code: own['error_code'], has_failed: true });
    const events = JSON.stringify(await ask(organizationId, 'SELECT * FROM stored_events'));
    expect(events).to.not.match(/eyJ[\w-]{20}|127\.0\.0\.1/);
    expect(events).to.not.include(VIEWER);
    const denied = await ask('org_other', 'SELECT * FROM plays').then(
      () => 'read',
      (error: Error) => error.message,
    );
    expect(denied).to.match(/Access ?Denied/);
    await revokeOrganization(servers, grantee);
    const revoked = await ask(organizationId, 'SELECT * FROM plays').then(
      () => 'read',
      (error: Error) => error.message,
    );
    expect(revoked).to.match(/Denied|InvalidAccessKeyId|S3_ERROR/);
  });
});
