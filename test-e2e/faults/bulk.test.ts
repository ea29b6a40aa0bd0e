/**
 * A bulk import on one worker that encodes one job at a time: every wait and every outage is longer than the stall time
 * of a stage.
 */
import { expect } from 'chai';
import type { ServiceName } from '@vds/deploy-tools/services';
import { cached, ffmpeg } from '@vds/testkit/media/render';
import { skipBecause } from '@vds/testkit/skip';
import { runningPid } from '@vds/testkit/servers/detached';
import { startNats, stopNats } from '@vds/testkit/servers/nats';
import { openSettings } from '@vds/testkit/servers/settings';
import { lasts, until } from '@vds/testkit/until';
import { bare } from '../harness/apps-client.ts';
import { takeClock } from '../fakes/database-clock.ts';
import { openHost, type HostTarget } from '../harness/host/host.ts';
import type { Partner } from '../harness/partner-client.ts';
import { targetKind } from '../harness/target-kind.ts';

const isLong = process.env['VDS_LONG'] === '1';
/** Enough that the pieces taken in turn with another publisher's are a small part of the remaining import. */
const CLIPS = isLong ? 500 : 24;
const CLIP_SECONDS = isLong ? 4 : 1;
const STALL_MS = isLong ? 5_000 : 2_500;
const OUTAGE_MS = STALL_MS + 500;
const CAP_MS = isLong ? 25 * 60_000 : 180_000;

const PICTURE = ['-f', 'lavfi', '-i', `testsrc2=s=128x72:r=25:d=${CLIP_SECONDS}`];
const SOUND = ['-f', 'lavfi', '-i', `sine=d=${CLIP_SECONDS}`];
const ENCODING = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'];

describe('a bulk import by one publisher on one worker', function () {
  this.timeout(CAP_MS + 120_000);
  let target: HostTarget;
  let importer: Partner;
  let other: Partner;
  let clip: string;
  let idleMs = 0;
  let imported: readonly string[] = [];
  let beside = { ms: 0, overtaken: 0, left: 0 };
  before(async function () {
    if (targetKind() !== 'host') return skipBecause(this, 'needs its own worker that it may starve');
    const file = await cached('bulk', 'mp4', [PICTURE, SOUND, ENCODING], (path) =>
      ffmpeg([...PICTURE, ...SOUND, ...ENCODING, path]),
    );
    const limits = { TIME_SCALE: `stall=${STALL_MS}ms`, STAGE_BUDGET: '60s' };
    target = await openHost({
      suffix: 'bulk',
      services: ['auth', 'catalog', 'gateway', 'ingest', 'transcode'],
      env: {
        ingest: limits,
        transcode: { ...limits, ENCODE_SLOTS: '1', INSPECT_SLOTS: '1' },
        // Nobody makes captions or metadata here.
        catalog: { TIME_SCALE: 'minAwait=0s' },
      },
    });
    importer = await target.newPartner('Importer');
    other = await target.newPartner('Other');
    clip = await target.serve(file);
    idleMs = await timeToReady(other);
  });
  after(() => target?.close());

  const timeToReady = async (partner: Partner): Promise<number> => {
    const begun = performance.now();
    const { status, failure } = await partner.settled(await partner.submit(clip), CAP_MS);
    expect(status, JSON.stringify(failure)).to.equal('ready');
    return performance.now() - begun;
  };
  const states = async (ids: readonly string[]): Promise<readonly string[]> => {
    const { rows } = await target.stack
      .adminPool('catalog')
      .query<{ state: string }>('SELECT state FROM videos WHERE id = ANY($1)', [ids.map(bare)]);
    return rows.map(({ state }) => state);
  };
  const ready = async (ids: readonly string[]): Promise<number> =>
    (await states(ids)).filter((state) => state === 'ready').length;
  /** The longest time that a piece of any video took, in milliseconds. */
  const longestPiece = async (): Promise<number> => {
    const text = `SELECT extract(epoch FROM max(finished_at - started_at))::float8 * 1000 AS ms
      FROM chassis.jobs WHERE name LIKE 'piece-%'`;
    return (await target.stack.adminPool('transcode').query<{ ms: number }>(text)).rows[0]?.ms ?? 0;
  };
  const settled = (ids: readonly string[]): Promise<unknown> =>
    until(async () => (await states(ids)).every((state) => state !== 'processing'), {
      capMs: CAP_MS,
      everyMs: 250,
      what: 'the end of the import',
    });

  it('a bulk import ends with every video ready, although most wait longer than the stall time of a stage', async () => {
    const begun = performance.now();
    imported = await Promise.all(Array.from({ length: CLIPS }, () => importer.submit(clip)));
    await until(async () => (await ready(imported)) >= CLIPS / 4, { capMs: CAP_MS, what: 'a quarter of the import' });
    const before = await ready(imported);
    const ms = await timeToReady(other);
    const overtaken = (await ready(imported)) - before;
    beside = { ms, overtaken, left: CLIPS - before };
    await settled(imported);
    expect(new Set(await states(imported))).to.deep.equal(new Set(['ready']));
    const seconds = (performance.now() - begun) / 1_000;
    console.log(`      ${CLIPS} clips of ${CLIP_SECONDS} s ready in ${seconds.toFixed(0)} s`);
    console.log(
      `      another publisher's clip: ${(ms / 1_000).toFixed(1)} s, ${(idleMs / 1_000).toFixed(1)} s when idle; ` +
        `${overtaken} of ${beside.left} imported clips went before it; ` +
        `twice idle and one piece are ${((2 * idleMs + (await longestPiece())) / 1_000).toFixed(1)} s`,
    );
  });

  it('another publisher’s clip in the middle of a bulk import is ready before most of the remaining import', () => {
    expect(beside.left).to.be.greaterThan(0);
    expect(beside.overtaken).to.be.lessThan(beside.left / 2);
  });

  const outages: readonly (readonly [what: string, cut: () => Promise<() => Promise<unknown>>])[] = [
    [
      'catalog',
      async () => {
        const catalog = target.stack.process('catalog');
        await catalog.kill('SIGKILL');
        return () => catalog.restart();
      },
    ],
    [
      'NATS',
      async () => {
        const { dir } = target.stack.servers.nats;
        const settings = await openSettings(dir, false);
        await stopNats(dir, 'SIGKILL');
        return () => startNats(dir, settings);
      },
    ],
    [
      'the worker’s database',
      async () => {
        const admin = target.stack.adminPool('catalog');
        const database = new URL(target.stack.login('transcode').url).pathname.slice(1);
        await admin.query(`ALTER DATABASE ${database} ALLOW_CONNECTIONS false`);
        await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [database]);
        return () => admin.query(`ALTER DATABASE ${database} ALLOW_CONNECTIONS true`);
      },
    ],
  ];
  const beginSome = async (): Promise<readonly string[]> => {
    const ids = await Promise.all(Array.from({ length: 4 }, () => importer.submit(clip)));
    const begun = `SELECT 1 FROM stages WHERE video_id = ANY($1) AND stage = 'encode' AND state = 'started'`;
    const isBegun = async () => (await target.stack.adminPool('catalog').query(begun, [ids.map(bare)])).rowCount;
    await until(isBegun, { capMs: CAP_MS, everyMs: 20, what: 'an encode starts' });
    return ids;
  };
  const areReady = async (ids: readonly string[]): Promise<void> => {
    await settled(ids);
    expect(await states(ids)).to.deep.equal(ids.map(() => 'ready'));
  };
  for (const [what, cut] of outages) {
    it(`no video fails while ${what} is unavailable longer than the stall time of a stage`, async function () {
      if (what === 'NATS' && runningPid(target.stack.servers.nats.dir, 'nats') === null)
        skipBecause(this, 'NATS is no process of this host that it may kill');
      const ids = await beginSome();
      const restore = await cut();
      await lasts(OUTAGE_MS);
      await restore();
      await areReady(ids);
    });
  }

  it('no video fails when the clocks of the databases leap ahead by an hour', async () => {
    const leap = async (service: ServiceName) => {
      const { adminUrl } = target.stack.process(service);
      return takeClock(target.stack, service, async () => (await fetch(`${adminUrl}/readyz`)).ok);
    };
    const clocks = [await leap('catalog'), await leap('transcode'), await leap('ingest')];
    const ids = await beginSome();
    const moment = new Date(Date.now() + 3_600_000).toISOString();
    await Promise.all(clocks.map((clock) => clock.goOnFrom(moment)));
    await areReady(ids);
  });
});
