/**
 * The house as far as the partner's contract goes: gateway, auth and catalog in several replicas, without workers.
 * Media can be pretended: see players.ts.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { auth, catalog } from '@vds/proto';
import type { AuthAdminClient } from '@vds/proto/generated/vds/auth/v1/AuthAdmin.ts';
import type { CatalogAdminClient } from '@vds/proto/generated/vds/catalog/v1/CatalogAdmin.ts';
import type { KeyOut } from '@vds/proto/generated/vds/auth/v1/Key.ts';
import type { ServiceName } from '@vds/scripts/house/services';
import { startHouse, type House, type HouseOptions } from '@vds/scripts/house/start-house';
import { rpcClient } from '@vds/chassis/rpc/rpc-client';
import { readServers } from '@vds/chassis/testing/servers-file';
import { partnerOf, type Partner } from './partner.ts';

export type IssuedKey = { readonly key: KeyOut; readonly secretKey: string };
export type KeyOptions = {
  readonly scopes?: readonly string[];
  readonly minuteLimit?: number;
  readonly dailyLimit?: number;
};

export type ContractHouse = {
  readonly house: House;
  /** Base address of every gateway. */
  readonly gateways: readonly string[];
  /** The operator's doors. */
  readonly keys: ReturnType<typeof openKeys>;
  readonly videos: ReturnType<typeof openVideos>;
  /** Makes a publisher and returns its id. */
  readonly newPublisher: (name: string) => Promise<string>;
  /** Issues a key; without options it has both scopes and no practical limits. */
  readonly newKey: (publisherId: string, options?: KeyOptions) => Promise<IssuedKey>;
  /** A partner at one of the gateways, by its index. */
  readonly partner: (secretKey: string, gateway?: number) => Partner;
  readonly close: () => Promise<void>;
};

export type ContractOptions = {
  /** Lowercase letters: what this house is called after the run's own. */
  readonly suffix: string;
  /** Of gateway, auth and catalog each. */
  readonly replicas?: number;
  /** Services to start beside the three. */
  readonly also?: readonly ServiceName[];
  readonly env?: NonNullable<HouseOptions['env']>;
  readonly onPlaces?: NonNullable<HouseOptions['onPlaces']>;
};

const root = fileURLToPath(new URL('../..', import.meta.url));
const runName = process.env['VDS_E2E_HOUSE'] ?? 'e2e';
const noTls = { tlsCertFile: undefined, tlsKeyFile: undefined, tlsCaFile: undefined };

/** Contract times are settings; here they are short. */
const haste = {
  GATE_GRACE: '4s',
  DELETE_GRACE: '1s',
  SCHEDULER_INTERVAL: '200ms',
  REPUBLISH_FIRST: '3s',
  REPUBLISH_EVERY: '5s',
};

/** Starts it; `close` removes everything it has on the servers. */
export async function openContractHouse(options: ContractOptions): Promise<ContractHouse> {
  const { suffix, replicas = 3, also = [], env = {}, onPlaces } = options;
  const name = `${runName}${suffix}`;
  const house = await startHouse({
    dir: join(root, '.vds', name),
    name,
    servers: readServers(),
    services: ['auth', 'catalog', 'gateway', ...also],
    replicas: { auth: replicas, catalog: replicas, gateway: replicas },
    env: { ...env, catalog: { ...haste, ...env.catalog } },
    ...(onPlaces && { onPlaces }),
  });
  const keys = openKeys(house);
  const videos = openVideos(house);
  const gateways = urlsOf(house, 'gateway');
  return {
    house,
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
      await house.remove();
    },
  };
}

function openKeys(house: House) {
  return rpcClient<AuthAdminClient>(auth.AuthAdmin, adminDoor(house, 'auth'));
}

function adminDoor(house: House, service: 'auth' | 'catalog') {
  return {
    target: house.rpc(service, 'adminRpc'),
    config: { rpcToken: house.tokens.vdsctl, ...noTls },
    timeoutMs: 30_000,
  };
}

function openVideos(house: House) {
  return rpcClient<CatalogAdminClient>(catalog.CatalogAdmin, adminDoor(house, 'catalog'));
}

/** Replicas of one service, in their order. */
function urlsOf(house: House, service: ServiceName): string[] {
  return house.processes
    .filter(({ name }) => name === service || name.startsWith(`${service}-`))
    .map(({ url }) => url ?? '');
}
