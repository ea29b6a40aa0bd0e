/**
 * The part of the stack that serves the partner's contract: gateway, auth and catalog in several replicas, without
 * workers. `fakes/fake-workers.ts` replaces the workers.
 */
import { auth, catalog } from '@vds/proto';
import type { AuthAdminClient } from '@vds/proto/generated/vds/auth/v1/AuthAdmin.ts';
import type { CatalogAdminClient } from '@vds/proto/generated/vds/catalog/v1/CatalogAdmin.ts';
import type { KeyOut } from '@vds/proto/generated/vds/auth/v1/Key.ts';
import type { ServiceName } from '@vds/deploy-tools/services';
import { startStack, type Stack, type StackOptions } from '@vds/testkit/stack/start-stack';
import { rpcClient } from '@vds/chassis/rpc/rpc-client';
import { overlay } from '@vds/testkit/environments';
import { readServers } from '@vds/testkit/servers/servers-file';
import { stateFolder } from '@vds/testkit/servers/state-folder';
import { partnerOf, type Partner } from '../partner-client.ts';
import { noTls } from '@vds/testkit/harness/rpc-callers';

export type IssuedKey = { readonly key: KeyOut; readonly secretKey: string };
export type KeyOptions = {
  readonly scopes?: readonly string[];
  readonly minuteLimit?: number;
  readonly dailyLimit?: number;
};

export type ContractStack = {
  readonly stack: Stack;
  /** Base address of every gateway. */
  readonly gateways: readonly string[];
  /** gRPC endpoints for the operator. */
  readonly keys: ReturnType<typeof openKeys>;
  readonly videos: ReturnType<typeof openVideos>;
  /** Creates a publisher and returns its id. */
  readonly newPublisher: (name: string) => Promise<string>;
  /** Issues a key; by default it has both scopes and no practical limits. */
  readonly newKey: (publisherId: string, options?: KeyOptions) => Promise<IssuedKey>;
  /** A partner at one of the gateways, by its index. */
  readonly partner: (secretKey: string, gateway?: number) => Partner;
  readonly close: () => Promise<void>;
};

export type ContractOptions = {
  /** Lowercase letters: the suffix of this stack's name after the run's own. */
  readonly suffix: string;
  /** Of gateway, auth and catalog each. */
  readonly replicas?: number;
  /** Services to start besides the three. */
  readonly also?: readonly ServiceName[];
  readonly env?: NonNullable<StackOptions['env']>;
  readonly onPlanned?: NonNullable<StackOptions['onPlanned']>;
};

const runName = process.env['VDS_E2E_STACK'] ?? 'e2e';

/** The contract's times are short. */
const contractTimeouts = { TIME_SCALE: '0.1,gateGrace=4s,deleteGrace=1s,minAwait=2m' };

/** Starts it; `close` removes everything it has on the servers. */
export async function openContractStack(options: ContractOptions): Promise<ContractStack> {
  const { suffix, replicas = 3, also = [], env = {}, onPlanned } = options;
  const name = `${runName}${suffix}`;
  const stack = await startStack({
    dir: stateFolder(name),
    name,
    servers: readServers(),
    services: ['auth', 'catalog', 'gateway', ...also],
    replicas: { auth: replicas, catalog: replicas, gateway: replicas },
    env: { ...env, catalog: overlay(contractTimeouts, env.catalog) },
    ...(onPlanned && { onPlanned }),
  });
  const keys = openKeys(stack);
  const videos = openVideos(stack);
  const gateways = urlsOf(stack, 'gateway');
  return {
    stack,
    gateways,
    keys,
    videos,
    newPublisher: async (publisher) => (await keys.CreatePublisher({ name: publisher, organization: publisher })).id,
    newKey: async (
      publisherId,
      { scopes = ['videos:read', 'videos:write'], minuteLimit = 10_000, dailyLimit = 1_000_000 } = {},
    ) => {
      const { key, secretKey } = await keys.IssueKey({ publisherId, scopes: [...scopes], minuteLimit, dailyLimit });
      if (!key) throw new Error('auth answered without the key');
      return { key, secretKey };
    },
    partner: (secretKey, gateway = 0) => partnerOf(gateways[gateway % gateways.length] ?? '', secretKey),
    close: async () => {
      await Promise.all([keys.close(), videos.close()]);
      await stack.remove();
    },
  };
}

function openKeys(stack: Stack) {
  return rpcClient<AuthAdminClient>(auth.AuthAdmin, adminClientOptions(stack, 'auth'));
}

function adminClientOptions(stack: Stack, service: 'auth' | 'catalog') {
  return {
    target: stack.rpc(service, 'adminRpc'),
    config: { rpcToken: stack.tokens.vdsctl, ...noTls },
    timeoutMs: 30_000,
  };
}

function openVideos(stack: Stack) {
  return rpcClient<CatalogAdminClient>(catalog.CatalogAdmin, adminClientOptions(stack, 'catalog'));
}

/** Replicas of one service, in order. */
function urlsOf(stack: Stack, service: ServiceName): string[] {
  return stack.processes
    .filter(({ name }) => name === service || name.startsWith(`${service}-`))
    .map(({ url }) => url ?? '');
}
