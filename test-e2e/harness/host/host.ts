/** The stack under test as processes of this host: shortened times, an origin, and any number of partners. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStack, type Stack, type StackOptions } from '@vds/testkit/stack/start-stack';
import { serviceNames } from '@vds/deploy-tools/services';
import { overlay } from '@vds/testkit/environments';
import { readServers, type Servers } from '@vds/testkit/servers/servers-file';
import { stateFolder } from '@vds/testkit/servers/state-folder';
import { openOperatorClient, type OperatorClient } from '../operator-client.ts';
import { hostSite, type Site } from '../site.ts';
import { openSource, type Source } from '../source.ts';
import { shortTimeouts } from '../short-timeouts.ts';

/** The services under test with an origin and partners. */
export type Target = OperatorClient &
  Pick<Source, 'origin' | 'media' | 'serve'> & {
    readonly site: Site;
    /** A folder for a test's downloads. */
    readonly scratch: (name: string) => string;
  };

/** A target of processes of this host, which a test may kill. */
export type HostTarget = Target & { readonly stack: Stack };

export type HostOptions = {
  /** Lowercase letters: the name suffix of a stack besides the shared one. */
  readonly suffix?: string;
  readonly replicas?: NonNullable<StackOptions['replicas']>;
  /** Services to start; every one by default. */
  readonly services?: NonNullable<StackOptions['services']>;
  /** Variables by service, which override the shortened times. */
  readonly env?: NonNullable<StackOptions['env']>;
  /** The run's own servers by default. */
  readonly servers?: Servers;
};

/**
 * Two concurrent runs on the same servers need two names (`VDS_E2E_STACK`): the second would stop the first one's
 * stack.
 */
export const stackName = process.env['VDS_E2E_STACK'] ?? 'e2e';

/** Starts everything; `close` stops it and removes what it has on the servers. */
export async function openHost(options: HostOptions = {}): Promise<HostTarget> {
  await using opened = new AsyncDisposableStack();
  const source = await openSource();
  opened.defer(source.close);
  const downloads = await mkdtemp(join(tmpdir(), 'vds-e2e-'));
  opened.defer(() => rm(downloads, { recursive: true, force: true }));
  const stack = await startServices(source, options);
  opened.defer(stack.remove);
  const site = hostSite(stack);
  const operator = openOperatorClient(site);
  opened.defer(operator.close);
  const open = opened.move();
  return {
    ...source,
    ...operator,
    site,
    stack,
    scratch: (name) => join(downloads, name),
    close: () => open.disposeAsync(),
  };
}

async function startServices(source: Source, options: HostOptions): Promise<Stack> {
  const { suffix = '', replicas = {}, env = {}, services, servers = readServers() } = options;
  const PRIVATE_SOURCES = source.privateSources.join(',');
  const name = `${stackName}${suffix}`;
  const timeouts: NonNullable<StackOptions['env']> = shortTimeouts;
  return startStack({
    dir: stateFolder(name),
    name,
    servers,
    replicas,
    ...(services && { services }),
    env: {
      ...Object.fromEntries(serviceNames.map((service) => [service, overlay(timeouts[service], env[service])])),
      gateway: { PRIVATE_SOURCES, ...env.gateway },
      ingest: overlay(source.origin.environment, { PRIVATE_SOURCES }, shortTimeouts.ingest, env.ingest),
    },
  });
}
