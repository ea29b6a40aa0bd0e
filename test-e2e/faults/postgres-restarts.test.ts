/**
 * PostgreSQL is killed and started again twenty times while sixteen partners write: no process ends, every pool is whole
 * afterwards, nothing that was accepted is lost, and SIGTERM ends every process in time. Only in `npm run test:long`: the
 * pools of single services are tested in `lost-connections.test.ts` of auth, catalog and the chassis.
 */
import { expect } from 'chai';
import { skipBecause } from '@vds/testkit/skip';
import { readServers } from '@vds/testkit/servers/servers-file';
import { addStreamAdmin } from '@vds/testkit/stack/stream-admin';
import { until } from '@vds/testkit/until';
import { openServers, type RunServers } from '../chaos/servers.ts';
import { silentClip } from '../chaos/short-clips.ts';
import { lasts } from '../harness/lasts.ts';
import { appsOf } from '../harness/apps-client.ts';
import { openHost, type HostTarget } from '../harness/host/host.ts';
import type { Partner } from '../harness/partner-client.ts';
import { targetKind } from '../harness/target-kind.ts';
import { becomesReady, chargesAreExact, isAnsweredOnce } from '../harness/judge/whole-videos.ts';

const RESTARTS = 20;
const WRITERS = 16;
const VIDEOS = 8;
const BETWEEN_MS = 2_000;
/** The longest that a process may take to end. */
const TERMINATION_CAP_MS = 10_000;

describe('PostgreSQL that restarts again and again', () => {
  let servers: RunServers;
  let target: HostTarget;
  before(async function () {
    this.timeout(300_000);
    if (targetKind() !== 'host') skipBecause(this, 'needs servers of this host that it may kill');
    if (process.env['VDS_LONG'] !== '1') skipBecause(this, 'takes minutes: npm run test:long');
    servers = await openServers(readServers());
    const worker = { PURGE_AGAIN_AFTER: '8s', GARBAGE_AFTER: '2s' };
    const env = {
      ingest: worker,
      transcode: worker,
      metadata: worker,
      captions: { ...worker, CAPTION_LANGUAGES: 'en' },
    };
    target = await openHost({ suffix: 'restarts', env });
    await addStreamAdmin(target.stack.servers, target.stack.name);
  });
  after(async function () {
    this.timeout(120_000);
    await servers?.heal();
    await target?.close();
    await servers?.close();
  });

  it(`${RESTARTS} restarts under ${WRITERS} writers end no process, cost no try and leave every pool whole`, async function () {
    this.timeout(900_000);
    const partner = await target.newPartner('Writers');
    const clip = await target.serve(await silentClip());
    const ids: string[] = [];
    const stop = new AbortController();
    const writers = Array.from({ length: WRITERS }, () => write(partner, clip, ids, stop.signal));
    for (let restart = 0; restart < RESTARTS; restart++) {
      await lasts(BETWEEN_MS);
      await servers.kill('postgres');
      await servers.start('postgres');
    }
    stop.abort();
    await Promise.all(writers);
    expect(target.stack.processes.flatMap((one) => one.crash() ?? [])).to.deep.equal([]);
    expect(ids.length).to.be.at.least(1);
    const apps = appsOf(target.stack);
    for (const id of ids) {
      await until(async () => (await partner.republish(id)).status < 300, { what: `${id} is public`, capMs: 60_000 });
      await becomesReady(target, partner, apps, id);
      await isAnsweredOnce(target, id);
    }
    await apps.close();
    await chargesAreExact(target);
    for (const service of ['ingest', 'transcode', 'captions', 'metadata'] as const) {
      const { rows } = await target.stack
        .adminPool(service)
        .query('SELECT name, tries, crashes FROM chassis.jobs WHERE tries > 0 OR crashes > 0');
      expect(rows, service).to.deep.equal([]);
    }
    for (const { service, adminUrl } of target.stack.processes) {
      const isWhole = async () =>
        !/vds_database_connections\{.*state="(?:busy|waited_for)".*\} [1-9]/.test(await page(adminUrl));
      await until(isWhole, { what: `the pools of ${service} are whole`, capMs: 60_000, everyMs: 100 });
    }
  });

  it('SIGTERM ends every process with 0 afterwards', async function () {
    this.timeout(60_000);
    const { processes } = target.stack;
    const exits = processes.map((one) => one.kill('SIGTERM'));
    const ended = () => processes.every((one) => one.pid() === undefined);
    await until(ended, { what: 'the end of every process', capMs: TERMINATION_CAP_MS });
    expect(await Promise.all(exits)).to.deep.equal(processes.map(() => 0));
  });
});

/** Submits a few videos; archives and republishes them until it is stopped. An error is repeated, as partners do. */
async function write(partner: Partner, source: string, ids: string[], stop: AbortSignal): Promise<void> {
  const video = { source_url: source, title: 'A test' };
  for (let turn = 0; !stop.aborted; turn++) {
    const id = ids[turn % VIDEOS];
    if (ids.length < VIDEOS || id === undefined) {
      const answer = await partner.call<{ id: string }>('POST', '/v1/videos', video).catch(() => undefined); // away
      if (answer?.status === 202) ids.push(answer.body.id);
    } else await (turn % 2 === 0 ? partner.archive(id) : partner.republish(id)).catch(() => undefined); // away
  }
}

async function page(adminUrl: string): Promise<string> {
  return (await fetch(`${adminUrl}/metrics`)).text();
}
