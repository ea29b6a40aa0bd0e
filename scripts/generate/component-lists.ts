/** Lists of components, with what each stores, holds, calls and is called by: from deploy/tools/services.ts. */
import { stageOwners } from '@vds/proto/stages';
import { newInstallation, productSecrets } from '@vds/deploy-tools/secrets/release-secrets';
import { servicesWithNatsUser, usesEvents } from '@vds/deploy-tools/provision/nats-account';
import {
  APPS,
  bucketRoles,
  callersOf,
  OPERATOR,
  rowOf,
  serviceNames,
  servesRpc,
  type BucketRole,
  type PortName,
  type ServiceName,
} from '@vds/deploy-tools/services';
import { bucketUsers } from '@vds/deploy-tools/provision/buckets';
import { purposesOf } from './chart-values.ts';
import { alike, code, codes, listed, table } from './markdown.ts';

type Lists = Readonly<Record<string, () => readonly string[]>>;

/** A bucket whose objects are fetched again where they are missing; every other one is backed up. */
const fetchedAgain: readonly BucketRole[] = ['sources'];

const withDatabase = serviceNames.filter((name) => rowOf(name).database);
const withSearch = serviceNames.filter((name) => rowOf(name).search === true);
const forApps = serviceNames.filter((name) => rowOf(name).apps === true);
function withPort(port: PortName): ServiceName[] {
  return serviceNames.filter((name) => rowOf(name).ports.includes(port));
}

const bucketLists: Lists = {
  buckets: () =>
    table(
      ['bucket', 'written by', 'read by'],
      bucketRoles.map((role) => {
        const having = (of: 'ownsBuckets' | 'readsBuckets'): string =>
          listed(serviceNames.filter((name) => rowOf(name)[of].includes(role)));
        return [code(role), having('ownsBuckets'), having('readsBuckets')];
      }),
    ),
  'names of the buckets': () => [
    '```sh',
    `export ${bucketRoles.map((role) => `${variableOf(role)}=example-vds-${role}`).join(' ')}`,
    `for bucket in ${bucketRoles.map((role) => `$${variableOf(role)}`).join(' ')}; do aws s3 mb "s3://$bucket"; done`,
    'npm run --silent provision -- print iam > ~/vds/iam.json',
    '```',
  ],
  'values of the buckets': () => ['buckets:', ...bucketRoles.map((role) => `  ${role}: example-vds-${role}`)],
  'buckets by prefix': () => ['s3:', `  buckets: { ${bucketRoles.map((role) => `${role}: ''`).join(', ')} }`],
  'variables of the buckets': () => [`unset ${bucketRoles.map(variableOf).join(' ')}`],
};

/** @param root of the repository, for the values of the chart */
export function componentLists(root: string): Lists {
  return {
    ...bucketLists,
    services: () => {
      const purposes = purposesOf(root);
      const rows = serviceNames.map((name) => [`[${name}](services/${name}/README.md)`, purposes.get(name) ?? '']);
      return table(['service', 'what it is for'], rows);
    },
    components: () => table(['service', 'stores', 'reads', 'ports', 'calls', 'events'], serviceNames.map(componentRow)),
    'Secrets of components': () => table(['Secret of', 'Keys'], secretRows()),
    'callers of components': () =>
      table(
        ['`RPC_CALLERS` of', 'lists'],
        alike(serviceNames.filter(servesRpc).map((name) => [name, callersOf(name)] as const)).map(
          ([names, callers]) => [listed(names), listed(callers)],
        ),
      ),
    'network paths': () => table(['From', 'To', 'Port'], networkRows()),
    'components with a database': () => [`The components with a database: ${codes(withDatabase)}.`],
    'data to back up': () =>
      table(
        ['what', 'why', 'how'],
        [
          [`databases ${codes(withDatabase)}`, 'the source of truth', 'continuous archiving (point-in-time recovery)'],
          [
            `buckets ${codes(bucketRoles.filter((role) => !fetchedAgain.includes(role)))}`,
            'made from what is gone: sources after a day, reports of views after three',
            'versioning or replication of your S3 server',
          ],
        ],
      ),
    'components that are called from outside, in PromQL': () =>
      presentInPromQL(serviceNames.filter(isCalledFromOutside)),
    'other components in PromQL': () => presentInPromQL(serviceNames.filter((name) => !isCalledFromOutside(name))),
    'pods of all components but captions and gateway': () =>
      serviceNames
        .filter((name) => name !== 'captions' && name !== 'gateway')
        .flatMap((name) => [
          `- series: up{namespace="video", release="vds", service="${name}", pod="a", part_of="vds"}`,
          '  values: 1x40',
        ]),
    'addresses of vdsctl': () =>
      table(
        ['Variable', 'Admin port of'],
        withPort('adminRpc').map((name) => [code(`VDSCTL_${name.toUpperCase()}`), name]),
      ),
  };
}

/** By partners, viewers or the apps. */
/** Whose absence wakes somebody. Workers answer apps too, which show a video without what these know. */
function isCalledFromOutside(name: ServiceName): boolean {
  const { ports, apps } = rowOf(name);
  return ports.includes('http') || (apps === true && !stageOwners.includes(name));
}

function presentInPromQL(names: readonly ServiceName[]): string[] {
  const line = (name: ServiceName): string =>
    `label_replace(count by (namespace, release) (up{part_of="vds"}), "service", "${name}", "", "")`;
  return names.map((name, index) => (index === 0 ? line(name) : `or ${line(name)}`));
}

function componentRow(name: ServiceName): string[] {
  const { database, ownsBuckets, readsBuckets, ports, peers, search } = rowOf(name);
  const stores = [
    ...(database ? [`database \`${name}\``] : []),
    ...ownsBuckets.map((role) => `bucket \`${role}\``),
    ...(search === true ? ['OpenSearch'] : []),
  ];
  return [
    name,
    listed(stores),
    codes(readsBuckets) || '–',
    listed(ports),
    listed(peers),
    usesEvents(name) ? 'yes' : '–',
  ];
}

function secretRows(): string[][] {
  const made = [...productSecrets('', newInstallation())].map(([name, values]) => [name.slice(1), values] as const);
  const rows = made.map(([name, values]) => {
    const search = withSearch.some((one) => one === name);
    return [name, [...Object.keys(values), ...(search ? ['OPENSEARCH_PASSWORD'] : [])]] as const;
  });
  return alike(rows).map(([names, keys]) => [listed(names), keys.map(code).join(' ')]);
}

function networkRows(): string[][] {
  const calls = alike(
    serviceNames.filter((name) => rowOf(name).peers.length > 0).map((name) => [name, rowOf(name).peers]),
  );
  const ofAddress = 'port of the address';
  return [
    [`\`clients\` of ${withPort('http').join(' and ')}; the release test`, listed(withPort('http')), '8080'],
    ['with `edge.enabled`: `clients` of playback; the release test, which no longer reaches playback', 'edge', '8080'],
    ['edge', 'playback', '8080'],
    [`\`${APPS}.peers\`, with \`${APPS}.enabled\``, listed(forApps), '50051'],
    [
      '`clients` of a component with an rpc port: callers of your own, which its `RPC_CALLERS` must list too',
      'that component',
      '50051',
    ],
    ...calls.map(([names, peers]) => [listed(names), listed(peers), '50051']),
    [OPERATOR, listed(withPort('adminRpc')), '50052'],
    ['`networkPolicy.metrics.peers`', 'every component, edge', '9090'],
    [
      `${listed(withDatabase)}; migrations`,
      '`external.postgres.peers`, or those of their own `postgres.host`',
      ofAddress,
    ],
    ['migrations, where `migrations.postgres.host` is set', '`migrations.postgres.peers` instead', ofAddress],
    [listed(servicesWithNatsUser), '`external.nats.peers`', ofAddress],
    [listed(bucketUsers), '`external.s3.peers`', ofAddress],
    [listed(withSearch), '`external.opensearch.peers`', ofAddress],
    ['every component, where `external.otlp.endpoint` is set', '`external.otlp.peers`', ofAddress],
    ['every pod', '`networkPolicy.dns.peers`', '53'],
    ['ingest', 'all public addresses except `ingest.blockedCidrs`', 'any'],
    ['ingest', 'each of `ingest.privateSources` and `ingest.dnsServers`', 'the given one'],
    ['a component with `egress`', 'as its rules say', 'as its rules say'],
  ];
}

function variableOf(role: BucketRole): string {
  return `${role.toUpperCase()}_BUCKET`;
}
