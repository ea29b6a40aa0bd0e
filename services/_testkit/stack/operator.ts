/** The operator's part: inviting a partner, inspecting a video's stages; and the apps': minting a viewer's token. */
import { auth, catalog } from '@vds/proto';
import type { AuthAdminClient } from '@vds/proto/generated/vds/auth/v1/AuthAdmin.ts';
import type { AuthServiceClient } from '@vds/proto/generated/vds/auth/v1/AuthService.ts';
import type { CatalogAdminClient } from '@vds/proto/generated/vds/catalog/v1/CatalogAdmin.ts';
import type { StageStatusOut } from '@vds/proto/generated/vds/catalog/v1/StageStatus.ts';
import { rpcClient } from '@vds/chassis/rpc/rpc-client';
import type { Stack } from './start-stack.ts';
import { noTls } from '../harness/rpc-callers.ts';

export type Operator = {
  /** Creates the publisher account `name` unless it exists. */
  readonly publisher: (name: string, organization: string) => Promise<string>;
  /** Issues a key with both scopes, and with the default limits unless others are given. */
  readonly key: (publisherId: string, limits?: KeyLimits) => Promise<string>;
  /** The stages of a video, in order. `id` with or without `vid_`. */
  readonly stages: (id: string) => Promise<readonly StageStatusOut[]>;
  /** A playback token for one playback id, as the platform's apps get it. */
  readonly token: (playbackId: string, durationSeconds: number) => Promise<string>;
  readonly close: () => Promise<void>;
};

type KeyLimits = { readonly minuteLimit: number; readonly dailyLimit: number };
/** The largest limits that auth grants: no bench and no generated test reaches them. */
export const LARGEST_LIMITS: KeyLimits = { minuteLimit: 10_000, dailyLimit: 1_000_000 };

/** For the audit. */
const WHO = { actor: 'demo', reason: 'a partner of the demonstration' };

/** The operator of a running stack. */
export function operatorOf(stack: Stack): Operator {
  const config = { rpcToken: stack.tokens.vdsctl, ...noTls };
  const keys = rpcClient<AuthAdminClient>(auth.AuthAdmin, { target: stack.rpc('auth', 'adminRpc'), config });
  const apps = { rpcToken: stack.tokens.apps, ...noTls };
  const tokens = rpcClient<AuthServiceClient>(auth.AuthService, { target: stack.rpc('auth'), config: apps });
  const videos = rpcClient<CatalogAdminClient>(catalog.CatalogAdmin, {
    target: stack.rpc('catalog', 'adminRpc'),
    config,
  });
  return {
    publisher: async (name, organization) => {
      const { publishers } = await keys.ListPublishers({});
      const known = publishers?.find((publisher) => publisher.name === name && publisher.organization === organization);
      return known?.id ?? (await keys.CreatePublisher({ name, organization, ...WHO })).id;
    },
    key: async (publisherId, limits) =>
      (await keys.IssueKey({ publisherId, scopes: ['videos:read', 'videos:write'], ...limits, ...WHO })).secretKey,
    stages: async (id) => (await videos.ShowVideo({ videoId: bare(id) })).stages,
    token: async (playbackId, durationSeconds) =>
      (await tokens.MintPlaybackToken({ playbackId, durationMs: durationSeconds * 1_000 })).token,
    close: async () => {
      await Promise.all([keys.close(), tokens.close(), videos.close()]);
    },
  };
}

function bare(id: string): string {
  return id.replace(/^vid_/, '');
}
