/**
 * Releases side by side with the settings of deploy/values/production.yaml, as processes of this host: one set of
 * servers that speak only TLS, one NATS account, and a prefix for everything of a release on them.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printed } from '@vds/deploy-tools/provision/print/print';
import { createAuthority } from '@vds/deploy-tools/secrets/certificates';
import { serviceNames } from '@vds/deploy-tools/services';
import { startTlsServers, writeCertificate, type TlsServers } from '@vds/testkit/servers/tls-servers';
import { removeIndexes } from '@vds/testkit/stack/indexes';
import { shareAccount } from '@vds/testkit/stack/shared-account';
import { searchLogin } from '@vds/testkit/stack/shared-servers';
import { startStack, type StackOptions } from '@vds/testkit/stack/start-stack';
import { openState, type StackState } from '@vds/testkit/stack/state';
import { appsOf } from '../apps-client.ts';
import { openOperatorClient } from '../operator-client.ts';
import { shortTimeouts } from '../short-timeouts.ts';
import { hostSite } from '../site.ts';
import { openSource, type Source } from '../source.ts';
import { productionSettings } from './production-settings.ts';
import { provisionRelease } from './provision-release.ts';

export type TlsReleases = Awaited<ReturnType<typeof openTlsReleases>>;
export type TlsRelease = Awaited<ReturnType<typeof startRelease>>;

/** Starts one after the other. @param names the prefixes of the releases */
export async function openTlsReleases(names: readonly string[], replicas: NonNullable<StackOptions['replicas']> = {}) {
  await using opened = new AsyncDisposableStack();
  const tls = await startTlsServers();
  opened.defer(tls.close);
  const source = await openSource();
  opened.defer(source.close);
  const dir = await mkdtemp(join(tmpdir(), 'vds-releases-'));
  opened.defer(() => rm(dir, { recursive: true, force: true }));
  const removeAllIndexes = async (): Promise<void> => {
    for (const name of names) await removeIndexes({ opensearch: tls.realSearch }, name);
  };
  await removeAllIndexes(); // those of a run that was killed
  opened.defer(removeAllIndexes);
  const installations = names.map((name) => openState(join(dir, name), name));
  await shareAccount(tls, installations);
  const releases: TlsRelease[] = [];
  for (const installation of installations) {
    await provisionRelease(tls, installation, join(installation.dir, 'secrets'));
    const release = await startRelease(tls, source, installation, replicas);
    opened.defer(release.close);
    releases.push(release);
  }
  const open = opened.move();
  return {
    ...{ tls, source, releases },
    /** A folder for a test's downloads. */
    scratch: (name: string) => join(dir, 'downloads', name),
    close: () => open.disposeAsync(),
  };
}

async function startRelease(
  tls: TlsServers,
  source: Source,
  installation: StackState,
  replicas: NonNullable<StackOptions['replicas']>,
) {
  const { name, dir } = installation;
  await using opened = new AsyncDisposableStack();
  const folder = join(dir, 'certificates');
  await mkdir(folder, { recursive: true });
  const authority = await createAuthority();
  const certificateOf = (holder: string) => writeCertificate(folder, holder, authority, [holder, '127.0.0.1']);
  tls.permitSearch({ ...searchLogin(installation), indexes: printedIndexes(name) });
  const env: NonNullable<StackOptions['env']> = {};
  for (const service of serviceNames) {
    const own = await certificateOf(service);
    env[service] = {
      TLS_CERT_FILE: own.certFile,
      TLS_KEY_FILE: own.keyFile,
      TLS_CA_FILE: own.caFile,
      ...productionSettings(tls, installation, service),
      ...(shortTimeouts as NonNullable<StackOptions['env']>)[service],
      ...(service === 'captions' && { CAPTION_LANGUAGES: 'en,es,fr' }), // translations take most of the processor time
      ...(service === 'ingest' && source.origin.environment),
      ...((service === 'ingest' || service === 'gateway') && { PRIVATE_SOURCES: source.privateSources.join(',') }),
    };
  }
  const stack = await startStack({ dir, name, servers: tls.servers, provisioned: true, replicas, env });
  opened.defer(async () => void (await stack.stop()));
  const caller = await certificateOf('apps');
  const clientTls = { tlsCertFile: caller.certFile, tlsKeyFile: caller.keyFile, tlsCaFile: caller.caFile };
  const site = { ...hostSite(stack), clientTls };
  const operator = openOperatorClient(site);
  opened.defer(operator.close);
  const apps = appsOf(site);
  opened.defer(apps.close);
  const partner = await operator.newPartner(name);
  const open = opened.move();
  return {
    ...{ name, installation, stack, site, apps, partner },
    mint: operator.mint,
    /** What its certificates are signed by, and their folder. */
    certificates: { authority, folder },
    /** As the servers' administrators see them. */
    stores: { ...site, servers: { ...tls.servers, opensearch: tls.realSearch } },
    close: () => open.disposeAsync(),
  };
}

/** The index patterns of the role that provision prints for OpenSearch. */
export function printedIndexes(prefix: string): string[] {
  const bodies = JSON.parse(printed('opensearch', { PREFIX: prefix }) ?? '{}') as Record<
    string,
    { readonly index_permissions?: readonly { readonly index_patterns: readonly string[] }[] }
  >;
  return Object.values(bodies).flatMap(({ index_permissions: own = [] }) => own.flatMap((one) => one.index_patterns));
}
