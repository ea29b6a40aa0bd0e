/** Creates partners with keys as the operator does, and mints playback tokens as the platform's apps do. */
import { auth } from '@vds/proto';
import { rpcClient } from '@vds/chassis/rpc/rpc-client';
import { partnerOf, type Partner } from './partner-client.ts';
import type { Site } from './site.ts';
import { noTls } from '@vds/testkit/harness/rpc-callers';

export type OperatorClient = {
  /** A partner with its own publisher and key, without practical limits. */
  readonly newPartner: (name: string) => Promise<Partner>;
  /** A playback token, as the platform's apps get it. */
  readonly mint: (playbackId: string, durationMs?: number, viewerId?: string) => Promise<string>;
  readonly close: () => Promise<void>;
};

/** @param site its auth and its gateway must run */
export function openOperatorClient(site: Pick<Site, 'rpc' | 'tokens' | 'url' | 'clientTls'>): OperatorClient {
  const tls = site.clientTls ?? noTls;
  const config = { rpcToken: site.tokens.vdsctl, ...tls };
  const admin = rpcClient(auth.AuthAdmin, { target: site.rpc('auth', 'adminRpc'), config });
  const apps = { rpcToken: site.tokens.apps, ...tls };
  const tokens = rpcClient(auth.AuthService, { target: site.rpc('auth'), config: apps });
  return {
    newPartner: async (name) => {
      const publisher = await admin.CreatePublisher({ name, organization: name });
      const scopes = ['videos:read', 'videos:write'];
      const limits = { minuteLimit: 10_000, dailyLimit: 100_000 };
      const issued = await admin.IssueKey({ publisherId: publisher.id, scopes, ...limits });
      return partnerOf(site.url('gateway'), issued.secretKey);
    },
    mint: async (playbackId, durationMs = 60_000, viewerId = '') =>
      (await tokens.MintPlaybackToken({ playbackId, durationMs, viewerId })).token,
    close: async () => {
      await Promise.all([admin.close(), tokens.close()]);
    },
  };
}
