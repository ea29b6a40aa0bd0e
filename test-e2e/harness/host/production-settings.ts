/** The variables that deploy/values/production.yaml gives a component: for a process of this host, and as rendered. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { componentsOf } from '@vds/scripts/check/charts/environment';
import { templateArguments } from '@vds/scripts/check/charts/release';
import { parseResources } from '@vds/scripts/check/charts/resource';
import { usesEvents } from '@vds/deploy-tools/provision/nats-account';
import { databaseName, runtimeRole, userName, type Installation } from '@vds/deploy-tools/installation';
import { rowOf, serviceNames, type ServiceName } from '@vds/deploy-tools/services';
import { goProgram } from '@vds/testkit/programs/go-programs';
import { run } from '@vds/testkit/servers/command';
import type { TlsServers } from '@vds/testkit/servers/tls-servers';
import { searchLogin } from '@vds/testkit/stack/shared-servers';
import type { Environment } from '@vds/testkit/stack/environment';

/** Those that open what partners sent. Only Linux can confine their programs. */
const withPrograms: readonly ServiceName[] = ['transcode', 'captions', 'metadata'];

const root = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * Ports, addresses and files of one machine, and what one machine cannot have: three copies of a stream, a collector of
 * traces, time to leave a load balancer, and the memory limit of a pod.
 */
const OF_THE_PLACE =
  /_PORT$|_RPC$|_FILE$|^NODE_EXTRA_CA_CERTS$|^PLAYBACK_PUBLIC_URL$|^NATS_STREAM_REPLICAS$|^OTEL_|^DRAIN_DELAY$|^CLOSE_TIMEOUT$|^PROGRAMS_MEMORY$/;

/** Besides the variables that every stack sets. */
export function productionSettings(
  { servers, caFile }: TlsServers,
  installation: Installation,
  service: ServiceName,
): Environment {
  const prefix = installation.name;
  const { host, port } = servers.postgres;
  const search = searchLogin(installation);
  const { database, ports, search: hasSearch } = rowOf(service);
  const login = `${runtimeRole(prefix, service)}@${host}:${port}/${databaseName(prefix, service)}`;
  return {
    NODE_EXTRA_CA_CERTS: caFile,
    ...(database && {
      DATABASE_URL: `postgresql://${login}?sslmode=verify-full`,
      DATABASE_POOL_SIZE: '10',
    }),
    ...(service === 'auth' && { APPS_PREVIEW: 'false' }),
    ...(service === 'catalog' && { DATABASE_RPC_POOL_SIZE: '5' }),
    ...(usesEvents(service) && { NATS_PREFIX: prefix, NATS_STREAM_MAX_BYTES: String(2 ** 30) }),
    ...(hasSearch === true && {
      OPENSEARCH_USER: search.user,
      OPENSEARCH_PASSWORD: search.password,
      INDEX_REPLICAS: '1',
      INDEX_SHARDS: '1',
    }),
    ...((service === 'ingest' || service === 'gateway') && { BLOCKED_CIDRS: '198.41.0.0/24' }),
    ...(ports.includes('adminRpc') && { STAFF_TOKENS: 'required' }),
    ...(withPrograms.includes(service) && process.platform === 'linux' && { SANDBOX: 'required' }),
  };
}

/** What a release with this prefix gives each service, without addresses; undefined for the value of a Secret. Needs helm. */
export async function renderedSettings(
  prefix: string,
): Promise<ReadonlyMap<ServiceName, Record<string, string | undefined>>> {
  const set = { 'external.prefix': prefix, 'external.opensearch.user': userName(prefix, 'indexer') };
  const values = [
    ...['-f', join('deploy', 'values', 'production.yaml')],
    ...Object.entries(set).flatMap(([name, value]) => ['--set', `${name}=${value}`]),
  ];
  const text = await run(goProgram('helm') ?? 'helm', [...templateArguments('vds'), ...values], { cwd: root });
  const components = componentsOf(parseResources(text));
  return new Map(
    serviceNames.map((service) => {
      const variables = components.find(({ args }) => args.includes(`services/${service}/src/main.ts`))?.variables;
      if (variables === undefined) throw new Error(`the chart renders no container of ${service}`);
      return [service, comparable([...variables])];
    }),
  );
}

/** The same of a running process. */
export function comparable(
  variables: Iterable<readonly [string, string | undefined]>,
): Record<string, string | undefined> {
  const kept = [...variables].filter(([name]) => !OF_THE_PLACE.test(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, value?.replace(/(:\/\/(?:[^@/]*@)?)[^/?]*/, '$1')]));
}
