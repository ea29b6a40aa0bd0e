/** The house under test as processes of this host: shortened times, an origin, and partners as many as a story needs. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { auth } from '@vds/proto';
import { startHouse, type House, type HouseOptions } from '@vds/scripts/house/start-house';
import { startOrigin, type Origin } from '@vds/scripts/origin/origin';
import { rpcClient } from '@vds/shared/rpc-client';
import { readServers } from '@vds/shared/testing/servers-file';
import { partnerOf, type Partner } from './partner.ts';

/** How long after an archive viewers still get the video; five minutes in production. */
export const GATE_GRACE_MS = 4_000;

/** A name that DNS answers with a loopback address and that nobody has allowed. */
export const names = {
  loopback: 'loopback.test',
  metadata: 'metadata.test',
  refused: 'refused.test',
} as const;

export type Target = {
  readonly house: House;
  readonly origin: Origin;
  /** Folder that the origin serves. */
  readonly media: string;
  /** A partner with a publisher and a key of its own, without practical limits. */
  readonly newPartner: (name: string) => Promise<Partner>;
  /** A playback token, as the platform's apps get it. */
  readonly mint: (playbackId: string, durationMs?: number) => Promise<string>;
  /** A folder for what a test downloads. */
  readonly scratch: (name: string) => string;
  readonly close: () => Promise<void>;
};

export type HostOptions = {
  /** Lowercase letters: what a house that runs beside the common one is called after it. */
  readonly suffix?: string;
  readonly replicas?: NonNullable<HouseOptions['replicas']>;
  /** Variables by service, over the shortened times. */
  readonly env?: NonNullable<HouseOptions['env']>;
};

const noTls = { tlsCertFile: undefined, tlsKeyFile: undefined, tlsCaFile: undefined };
const root = fileURLToPath(new URL('../..', import.meta.url));
/** Two runs at once on the same servers need two names (`VDS_E2E_HOUSE`): the second would end the first one's house. */
const houseName = process.env['VDS_E2E_HOUSE'] ?? 'e2e';

/** Contract times are settings; here they are short. */
const hasteInIngest = {
  RETRY_DELAYS: '200ms,200ms,300ms,300ms,500ms',
  HEADERS_TIMEOUT: '3s',
  IDLE_TIMEOUT: '3s',
  LEASE: '6s',
  LEASE_RENEWAL: '1s',
  WORK_POLL: '1s',
};
const hasteInCatalog = {
  GATE_GRACE: `${GATE_GRACE_MS}ms`,
  DELETE_GRACE: '5s',
  REMIND_FIRST: '3s',
  REMIND_EVERY: '5s',
  AWAIT_LEAST: '20s',
};
/** A killed worker's units are claimed anew after that. */
const hasteInWork = { WORK_LEASE: '6s', WORK_RENEW: '1s' };

const startParts = async (media: string, { suffix = '', replicas = {}, env = {} }: HostOptions) => {
  const origin = await startOrigin({
    root: media,
    names: { [names.loopback]: ['127.0.0.1'], [names.metadata]: ['169.254.169.254'], [names.refused]: ['127.0.0.1'] },
  });
  const privateSources = `${origin.environment.PRIVATE_SOURCES},${names.refused}:1=127.0.0.1:1`;
  const name = `${houseName}${suffix}`;
  const house = await startHouse({
    dir: join(root, '.vds', name),
    name,
    servers: readServers(),
    replicas,
    env: {
      ...env,
      gateway: { PRIVATE_SOURCES: privateSources, ...env.gateway },
      ingest: { ...origin.environment, PRIVATE_SOURCES: privateSources, ...hasteInIngest, ...env.ingest },
      catalog: { ...hasteInCatalog, ...env.catalog },
      transcode: { ...hasteInWork, ...env.transcode },
      captions: { ...hasteInWork, ...env.captions },
      metadata: { ...hasteInWork, ...env.metadata },
    },
  });
  return { origin, house };
};

/** Starts everything; `close` stops it and removes what it has on the servers. */
export const openHost = async (options: HostOptions = {}): Promise<Target> => {
  const media = await mkdtemp(join(tmpdir(), 'vds-e2e-media-'));
  const downloads = await mkdtemp(join(tmpdir(), 'vds-e2e-'));
  const { origin, house } = await startParts(media, options);
  const config = { rpcToken: house.tokens.vdsctl, ...noTls };
  const admin = rpcClient(auth.AuthAdmin, { target: house.rpc('auth', 'adminRpc'), config });
  const tokens = rpcClient(auth.AuthService, { target: house.rpc('auth'), config });
  return {
    house,
    origin,
    media,
    newPartner: async (name) => {
      const publisher = await admin.CreatePublisher({ name, organization: name });
      const scopes = ['videos:read', 'videos:write'];
      const issued = await admin.IssueKey({
        publisherId: publisher.id,
        scopes,
        minuteLimit: 10_000,
        dailyLimit: 100_000,
      });
      return partnerOf(house.url('gateway'), issued.secretKey);
    },
    mint: async (playbackId, durationMs = 60_000) => (await tokens.MintPlaybackToken({ playbackId, durationMs })).token,
    scratch: (name) => join(downloads, name),
    close: async () => {
      await Promise.all([admin.close(), tokens.close()]);
      await house.remove();
      await origin.close();
      await Promise.all([media, downloads].map((dir) => rm(dir, { recursive: true, force: true })));
    },
  };
};
