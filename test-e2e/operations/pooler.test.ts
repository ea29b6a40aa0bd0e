/** A release whose services reach PostgreSQL through PgBouncer in transaction mode, set up as deploy/guide/scale.md says. */
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { databaseNames, loginOf } from '@vds/deploy-tools/provision/databases';
import { purposes } from '@vds/deploy-tools/installation';
import { rowOf, serviceNames, type ServiceName } from '@vds/deploy-tools/services';
import { queryAs } from '@vds/testkit/harness/managed-postgres';
import { pgbouncer } from '@vds/testkit/programs/pgbouncer';
import { startPgbouncer, type Pooler } from '@vds/testkit/servers/pgbouncer';
import { readServers } from '@vds/testkit/servers/servers-file';
import { stateFolder } from '@vds/testkit/servers/state-folder';
import { skipBecause } from '@vds/testkit/skip';
import { openState, type StackState } from '@vds/testkit/stack/state';
import { until } from '@vds/testkit/until';
import { spokenClip } from '../chaos/short-clips.ts';
import { appsOf, type Apps } from '../harness/apps-client.ts';
import { openHost, stackName, type HostTarget } from '../harness/host/host.ts';
import type { Partner } from '../harness/partner-client.ts';
import { targetKind } from '../harness/target-kind.ts';
import { walkHls } from '../hls/walk.ts';
import { leftoversOf, rowsOf } from '../probes/leftovers.ts';

/** Fewer than the pools of any service have: they share them. */
const CONNECTIONS_PER_ROLE = 4;
const REQUESTS = 300;
const AT_A_TIME = 50;

const suffix = 'pooler';
const name = `${stackName}${suffix}`;
const withDatabase = serviceNames.filter((service) => rowOf(service).database);

function rolesOf(service: ServiceName) {
  return databaseNames(name, service);
}
const catalogRole = rolesOf('catalog').runtime;

/** The section `[pgbouncer]` of the page, without what is a place or TLS. */
async function settingsOfGuide(): Promise<Record<string, string>> {
  const page = await readFile(new URL('../../deploy/guide/scale.md', import.meta.url), 'utf8');
  const [, section = ''] = /^\[pgbouncer\]\n([^]*?)^```$/m.exec(page) ?? [];
  const lines = section.split('\n').map((line) => /^(\w+) = (.*)$/.exec(line) ?? []);
  return Object.fromEntries(
    lines.flatMap(([, name, value]) =>
      name === undefined || /^listen_|_tls_|^auth_file$/.test(name) ? [] : [[name, value ?? '']],
    ),
  );
}

describe('a release behind PgBouncer in transaction mode', function () {
  this.timeout(600_000);
  const opened = new AsyncDisposableStack();
  let state: StackState;
  let pooler: Pooler;
  let target: HostTarget;
  let partner: Partner;
  let apps: Apps;

  before(async function () {
    if (targetKind() !== 'host') skipBecause(this, 'opens its own release, as processes of this host');
    if (pgbouncer() === null)
      skipBecause(this, 'needs PgBouncer 1.21 or newer: `npm run servers -- install pgbouncer` compiles it');
    const servers = readServers();
    state = openState(stateFolder(name), name);
    pooler = await startPgbouncer({
      server: servers.postgres,
      settings: { ...(await settingsOfGuide()), default_pool_size: CONNECTIONS_PER_ROLE },
      users: new Map(
        withDatabase.map((service) => [rolesOf(service).runtime, state.secret(purposes.runtime(service))]),
      ),
    });
    opened.defer(pooler.close);
    const postgres = { ...servers.postgres, host: pooler.host, port: pooler.port };
    const env = Object.fromEntries(
      withDatabase.map((service) => [
        service,
        {
          DATABASE_URL: loginOf({ postgres }, state, service, 'runtime').url,
          ...(service === 'captions' && { CAPTION_LANGUAGES: 'en,es' }), // translations take most of the processor time
        },
      ]),
    );
    target = await openHost({ suffix, env, replicas: { catalog: 2 } });
    opened.defer(target.close);
    apps = appsOf(target.site);
    opened.defer(apps.close);
    partner = await target.newPartner('Pooled');
  });
  after(() => opened.disposeAsync());

  /** Sessions of the release's services in PostgreSQL, as its superuser sees them. */
  const sessions = async (): Promise<readonly { readonly role: string; readonly port: number }[]> => {
    const sql = `SELECT usename AS role, client_port AS port FROM pg_stat_activity WHERE usename = ANY ($1)`;
    const roles = withDatabase.map((service) => rolesOf(service).runtime);
    return (await target.site.adminPool('catalog').query<{ role: string; port: number }>(sql, [roles])).rows;
  };

  it('a video that is submitted behind PgBouncer becomes ready, is found, plays, is archived and republished, and is deleted whole', async () => {
    const title = 'A goal behind a pooler';
    const id = await partner.submit(await target.serve(await spokenClip()), { title });
    const { status, failure, playback } = await partner.settled(id);
    expect(status, JSON.stringify(failure)).to.equal('ready');
    await until(() => apps.finds(title, id), { what: 'the video is found', capMs: 60_000 });
    const url = `${playback?.hls_url}?token=${await target.mint(playback?.playback_id ?? '')}`;
    const { breaches, rungs } = await walkHls(url, target.scratch(id));
    expect(breaches).to.deep.equal([]);
    expect(rungs.map(({ segments }) => segments)).to.satisfy((counts: number[]) => counts.every((count) => count > 0));
    const isGone = async (): Promise<boolean> => (await fetch(url)).status === 404;
    expect((await partner.archive(id)).status).to.equal(200);
    await until(isGone, { what: 'the closed gate', capMs: 60_000 });
    expect((await partner.republish(id)).status).to.equal(200);
    await until(async () => !(await isGone()), { what: 'the open gate', capMs: 60_000 });
    expect((await partner.remove(id)).status).to.equal(200);
    const left = async () => [...(await leftoversOf(target.site, id)), ...(await rowsOf(target.site, id))];
    await until(async () => (await left()).length === 0, { what: 'nothing is left of it', capMs: 120_000 });
    await until(async () => !(await apps.finds(title, id)), { what: 'the video is found no longer', capMs: 60_000 });
  });

  it('behind PgBouncer more connections of services than PostgreSQL has answer every request, and all of them are PgBouncer’s', async () => {
    const most = new Map<string, number>();
    let mostClients = 0;
    const look = async (): Promise<void> => {
      const seen = Map.groupBy(await sessions(), ({ role }) => role);
      for (const [role, own] of seen) most.set(role, Math.max(most.get(role) ?? 0, own.length));
      const clients = await pooler.show('CLIENTS');
      mostClients = Math.max(mostClients, clients.filter((one) => one['user'] === catalogRole).length);
    };
    const isOfPooler = async (): Promise<boolean> => {
      const ports = new Set((await pooler.show('SERVERS')).map((one) => Number(one['local_port'])));
      return (await sessions()).every(({ port }) => ports.has(port));
    };
    const video = { source_url: target.origin.url('/nothing.mp4'), title: 'None' };
    const id = await partner.submit(video.source_url);
    const statuses: number[] = [];
    let left = REQUESTS;
    const sendRequests = async (): Promise<void> => {
      while (left-- > 0) {
        const { status } = await (left % 3 === 0
          ? partner.call('POST', '/v1/videos', video)
          : partner.call('GET', `/v1/videos/${id}`));
        statuses.push(status);
        if (left % 25 === 0) await look();
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, sendRequests));
    expect([...new Set(statuses)]).to.have.members([200, 202]);
    expect(statuses).to.have.lengthOf(REQUESTS);
    expect(most.get(catalogRole)).to.be.within(1, CONNECTIONS_PER_ROLE);
    expect(Math.max(...most.values())).to.be.at.most(CONNECTIONS_PER_ROLE);
    expect(mostClients, 'connections of catalog').to.be.above(CONNECTIONS_PER_ROLE);
    // One that is opened between the two looks is in the next.
    await until(isOfPooler, { what: 'every session in PostgreSQL is of PgBouncer' });
  });

  it('behind PgBouncer a session of a service has the limits of its role', async () => {
    const { runtime: adminUser, database } = rolesOf('catalog');
    const { host, port } = pooler;
    const login = { host, port, adminUser, adminPassword: state.secret(purposes.runtime('catalog')) };
    const settings = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];
    const sql = settings.map((setting) => `current_setting('${setting}') AS ${setting}`).join(', ');
    expect(await queryAs({ postgres: login }, `SELECT ${sql}`, database)).to.deep.equal([
      { statement_timeout: '30s', lock_timeout: '10s', idle_in_transaction_session_timeout: '1min' },
    ]);
  });
});
