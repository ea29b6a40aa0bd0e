/**
 * Two releases side by side, with the settings of deploy/values/production.yaml: TLS of a private authority to every
 * server, mutual TLS between services, one NATS account, and a prefix for everything of a release on the servers.
 */
import { readFile, stat } from 'node:fs/promises';
import { expect } from 'chai';
import { runtimeRole, userName } from '@vds/deploy-tools/installation';
import { servicesWithNatsUser } from '@vds/deploy-tools/provision/nats-account';
import { rowOf, serviceNames, type ServiceName } from '@vds/deploy-tools/services';
import { goProgram } from '@vds/testkit/programs/go-programs';
import { skipBecause } from '@vds/testkit/skip';
import { storedStreams } from '@vds/testkit/stack/shared-account';
import { readableBy, serverConnections, type Connection } from '@vds/testkit/stack/shared-servers';
import type { Environment } from '@vds/testkit/stack/environment';
import { run } from '@vds/testkit/servers/command';
import { until } from '@vds/testkit/until';
import { spokenClip } from '../chaos/short-clips.ts';
import { bare } from '../harness/apps-client.ts';
import { root } from '../harness/cluster/command.ts';
import { openTlsReleases, type TlsRelease, type TlsReleases } from '../harness/host/tls-releases.ts';
import { comparable, renderedSettings } from '../harness/host/production-settings.ts';
import { openOperatorClient } from '../harness/operator-client.ts';
import { partnerOf } from '../harness/partner-client.ts';
import { targetKind } from '../harness/target-kind.ts';
import { walkHls } from '../hls/walk.ts';
import { documentsOf, keysOf, leftoversOf, rowsOf } from '../probes/leftovers.ts';

type Clip = { readonly release: TlsRelease; readonly id: string; readonly title: string; readonly playbackId: string };

/** One starts with the other and a dash: the first's data must not be mistaken for the second's. */
const prefixes = ['north', 'north-2'] as const;

/** The release that a stream, role, bucket, index or user belongs to, by its name. */
function releaseOf(resource: string): string | undefined {
  const name = resource.toLowerCase().replaceAll(/[_.]/g, '-');
  return prefixes.toReversed().find((prefix) => name.startsWith(`${prefix}-`));
}

describe('two releases side by side, with TLS to every server', function () {
  this.timeout(600_000);
  let opened: TlsReleases;
  let first: Clip;
  let second: Clip;

  const publish = async (release: TlsRelease, source: string): Promise<Clip> => {
    const title = `A goal of the ${release.name}`;
    const id = await release.partner.submit(source, { title });
    const { status, failure, playback } = await release.partner.settled(id);
    expect(status, JSON.stringify(failure)).to.equal('ready');
    return { release, id, title, playbackId: playback?.playback_id ?? '' };
  };
  const isFound = ({ release, id, title }: Clip) =>
    until(() => release.apps.finds(title, id), { what: `${title} is found`, capMs: 60_000 });
  const address = async ({ release, id, playbackId }: Clip, token?: string): Promise<string> => {
    const { playback } = await release.partner.get(id);
    return `${playback?.hls_url}?token=${token ?? (await release.mint(playbackId))}`;
  };
  const plays = async (clip: Clip): Promise<void> => {
    const { breaches, rungs } = await walkHls(await address(clip), opened.scratch(clip.id));
    expect(breaches).to.deep.equal([]);
    expect(rungs.map(({ segments }) => segments)).to.satisfy((counts: number[]) => counts.every((count) => count > 0));
  };
  const pairs = (): [Clip, Clip][] => [
    [first, second],
    [second, first],
  ];

  before(async function () {
    if (targetKind() !== 'host') skipBecause(this, 'opens its own releases, as processes of this host');
    opened = await openTlsReleases(prefixes);
    const source = await opened.source.serve(await spokenClip());
    const clips = await Promise.all(opened.releases.map((release) => publish(release, source)));
    [first, second] = clips as [Clip, Clip];
  });
  after(() => opened?.close());

  it('a clip of each of two releases becomes ready, is found and plays', async () => {
    for (const clip of [first, second]) {
      await isFound(clip);
      await plays(clip);
    }
  });

  it('the processes of a release have what production.yaml gives its pods', async function () {
    if (goProgram('helm') === null) skipBecause(this, 'needs helm, which `npm run check` installs');
    if (process.platform !== 'linux') skipBecause(this, 'reads the environment of processes in /proc');
    for (const { name, stack } of opened.releases)
      for (const [service, rendered] of await renderedSettings(name)) {
        const text = await readFile(`/proc/${stack.process(service).pid()}/environ`, 'utf8');
        const actual = comparable(
          text.split('\0').map((line) => [line.split('=')[0] ?? '', line.replace(/^[^=]*=/, '')]),
        );
        for (const [variable, value] of Object.entries(rendered))
          if (value === undefined) expect(actual, service).property(variable).that.is.not.empty;
          else expect(actual, service).to.have.property(variable, value);
      }
  });

  it('every connection of two releases to PostgreSQL and NATS is encrypted, and no role of theirs is a superuser', async () => {
    const { roles } = await serverConnections(opened.tls);
    const connections: Connection[] = [];
    const database = serviceNames.filter((service) => rowOf(service).database);
    for (const { release, id } of [first, second]) {
      const { name } = release;
      const isSeen = (server: string, user: string): boolean =>
        connections.some((one) => one.server === server && one.user === user);
      // Pools close a connection that nobody has used for ten seconds; a request lets them open one.
      const areAllSeen = async (): Promise<boolean> => {
        await release.partner.get(id);
        connections.push(...(await serverConnections(opened.tls)).connections);
        return (
          database.every((service) => isSeen('PostgreSQL', runtimeRole(name, service))) &&
          servicesWithNatsUser.every((service) => isSeen('NATS', userName(name, service)))
        );
      };
      await until(areAllSeen, { what: `every service of ${name} is connected` });
      expect(roles.filter((role) => releaseOf(role.name) === name)).to.have.lengthOf(2 * database.length);
    }
    expect(connections.filter(({ isEncrypted }) => !isEncrypted)).to.deep.equal([]);
    expect(roles.filter((role) => releaseOf(role.name) !== undefined && role.may !== '')).to.deep.equal([]);
  });

  it('neither of two releases finds, shows, plays or administers the other’s videos', async () => {
    for (const [{ id, title, playbackId, release }, { release: other }] of pairs()) {
      expect(await other.apps.finds(title, id)).to.equal(false);
      expect((await other.apps.feed({ limit: 50 })).items.map(({ videoId }) => videoId)).to.not.include(bare(id));
      expect((await other.partner.call('GET', `/v1/videos/${id}`)).status).to.equal(404);
      const stranger = partnerOf(other.partner.base, release.partner.key);
      expect((await stranger.call('GET', `/v1/videos/${id}`)).status).to.equal(401);
      const { pathname } = new URL(await address({ id, title, playbackId, release }));
      const elsewhere = await fetch(
        `${other.stack.url('playback')}${pathname}?token=${await release.mint(playbackId)}`,
      );
      expect(elsewhere.status).to.be.oneOf([401, 403]);
      const { tokens, clientTls } = release.site;
      const operator = openOperatorClient({ ...other.site, tokens, clientTls });
      const error = await operator.newPartner('stranger').catch((reason: { code?: string }) => reason.code);
      expect(error).to.equal('UNAVAILABLE');
      await operator.close();
    }
  });

  it('the users of a release may read its own database, stream, bucket and index, and none of another’s', async () => {
    const denied = {
      PostgreSQL: /permission denied for database/,
      NATS: /permission/i,
      S3: /no access/,
      OpenSearch: /403/,
    };
    for (const { installation } of opened.releases)
      for (const { name } of opened.releases) {
        const found = await readableBy(opened.tls, installation, name);
        for (const [server, pattern] of Object.entries(denied))
          expect(found, `${installation.name} of ${name}`)
            .property(server)
            .that.matches(name === installation.name ? /^read$/ : pattern);
      }
  });

  it('streams, rows, objects and documents of two releases are apart under their prefixes', async () => {
    const streams = await storedStreams(opened.tls);
    const byRelease = Object.groupBy(streams, ({ name }) => releaseOf(name) ?? 'nobody');
    expect(Object.keys(byRelease)).to.have.members(prefixes);
    expect(new Set(prefixes.map((prefix) => byRelease[prefix]?.length)).size).to.equal(1);
    for (const [{ id, release }, { release: other }] of pairs()) {
      const { name, stores } = release;
      const [own = [], foreign = []] = [byRelease[name], byRelease[other.name]];
      expect(own.flatMap(({ subjects }) => subjects).filter((subject) => releaseOf(subject) !== name)).to.deep.equal(
        [],
      );
      expect(own.find((stream) => stream.name.endsWith('_CATALOG'))?.text).to.include(bare(id));
      expect(foreign.filter(({ text }) => text.includes(bare(id)))).to.deep.equal([]);
      expect(await rowsOf(stores, id)).to.not.be.empty;
      expect(await rowsOf(other.stores, id)).to.deep.equal([]);
      expect(await leftoversOf(stores, id)).to.not.be.empty;
      for (const [bucket, keys] of await keysOf(stores)) {
        expect(releaseOf(bucket)).to.equal(name);
        expect(keys.filter((key) => !key.includes(bare(id)))).to.deep.equal([]);
      }
      const documents = await documentsOf(stores, id);
      expect(new Set(documents.map(({ index }) => releaseOf(index)))).to.deep.equal(new Set([name]));
    }
  });

  it('where personal tokens are required, the release’s own token looks for lost objects and changes nothing', async () => {
    const { stack, site } = first.release;
    const env = {
      ...{ PATH: process.env['PATH'], USER: 'tester' },
      ...{ TLS_CERT_FILE: site.clientTls.tlsCertFile, TLS_KEY_FILE: site.clientTls.tlsKeyFile },
      TLS_CA_FILE: site.clientTls.tlsCaFile,
    };
    const vdsctl = (...args: string[]): Promise<string> =>
      run(process.execPath, ['services/vdsctl/src/main.ts', '--env', `${stack.dir}/vdsctl.env`, ...args], {
        env,
        cwd: root,
      });
    const refusal = (...args: string[]) => vdsctl(...args).catch((error: Error) => error.message);
    expect(await vdsctl('reconcile', '--objects')).to.include('Nothing differs');
    for (const args of [
      ['publisher', 'list'],
      ['video', 'hold', first.id, '--reason', 'none'],
    ])
      expect(await refusal(...args), args.join(' ')).to.include('a personal token is required');
  });

  it('a deletion in one of two releases purges its own video and leaves the other’s intact', async () => {
    const kept = await leftoversOf(second.release.stores, second.id);
    expect((await first.release.partner.remove(first.id)).status).to.equal(200);
    const left = async (): Promise<string[]> => [
      ...(await leftoversOf(first.release.stores, first.id)),
      ...(await rowsOf(first.release.stores, first.id)),
      ...(await documentsOf(first.release.stores, first.id)).map(({ index }) => index),
    ];
    await until(async () => (await left()).length === 0, {
      what: 'nothing is left of it',
      capMs: 120_000,
      everyMs: 500,
    });
    expect((await first.release.partner.get(first.id)).status).to.equal('deleted');
    expect(await leftoversOf(second.release.stores, second.id)).to.deep.equal(kept);
    await isFound(second);
    await plays(second);
  });

  it('a service that would log in without TLS, or whose server has another identity, never becomes ready and reports why', async () => {
    const { stack } = first.release;
    const { postgres, nats } = opened.tls.servers;
    const databaseOf = (service: ServiceName, host: string, sslmode: string): Environment => ({
      DATABASE_URL: `${stack.login(service).url.replace(`@${postgres.host}:`, `@${host}:`)}?sslmode=${sslmode}`,
    });
    const cases: readonly [ServiceName, Environment, RegExp][] = [
      ['auth', databaseOf('auth', postgres.host, 'disable'), /no encryption/],
      ['captions', databaseOf('captions', '127.0.0.1', 'verify-full'), /does not match/],
      ['metadata', { NODE_EXTRA_CA_CERTS: opened.source.origin.caFile }, /unable to verify/],
      ['ingest', { NATS_URL: nats.url.replace('localhost', '127.0.0.1') }, /does not match/],
    ];
    await Promise.all(
      cases.map(async ([service, settings, reason]) => {
        const one = stack.process(service);
        await one.kill('SIGTERM');
        const { size } = await stat(one.logFile);
        const log = async (): Promise<string> => (await readFile(one.logFile)).subarray(size).toString();
        one.start(settings);
        await until(async () => reason.test(await log()), { what: `${service} logs ${String(reason)}`, capMs: 60_000 });
        expect(await log()).to.not.include('"msg":"ready"');
        await one.kill();
      }),
    );
  });
});
