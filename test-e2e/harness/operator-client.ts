/** Creates partners with keys as a person of the operator's staff does, and mints playback tokens as the platform's apps do. */
import { randomUUID } from 'node:crypto';
import { auth } from '@vds/proto';
import { rpcClient, type RpcMethods } from '@vds/chassis/rpc/rpc-client';
import { partnerOf, type Partner } from './partner-client.ts';
import type { Site } from './site.ts';
import type { AuthAdminClient } from '@vds/proto/generated/vds/auth/v1/AuthAdmin.ts';
import { noTls } from '@vds/testkit/harness/rpc-callers';

export type OperatorClient = {
  /** A partner with its own publisher and key, without practical limits. */
  readonly newPartner: (name: string) => Promise<Partner>;
  /** Whether auth accepts the person's token on its admin port. */
  readonly mayAdminister: () => Promise<boolean>;
  /** A playback token, as the platform's apps get it. */
  readonly mint: (playbackId: string, durationMs?: number, viewerId?: string) => Promise<string>;
  readonly close: () => Promise<void>;
};

/** @param site its auth and its gateway must run */
export function openOperatorClient(site: Pick<Site, 'rpc' | 'tokens' | 'url' | 'clientTls'>): OperatorClient {
  const tls = site.clientTls ?? noTls;
  const adminWith = (rpcToken: string) =>
    rpcClient<AuthAdminClient>(auth.AuthAdmin, { target: site.rpc('auth', 'adminRpc'), config: { rpcToken, ...tls } });
  const release = adminWith(site.tokens.vdsctl);
  let person: Promise<ReturnType<typeof adminWith>> | undefined;
  const administrator = () => (person ??= addPerson(release).then(adminWith));
  const apps = { rpcToken: site.tokens.apps, ...tls };
  const tokens = rpcClient(auth.AuthService, { target: site.rpc('auth'), config: apps });
  return {
    newPartner: async (name) => {
      const admin = await administrator();
      const publisher = await admin.CreatePublisher({ name, organization: name });
      const scopes = ['videos:read', 'videos:write'];
      const limits = { minuteLimit: 10_000, dailyLimit: 100_000 };
      const issued = await admin.IssueKey({ publisherId: publisher.id, scopes, ...limits });
      return partnerOf(site.url('gateway'), issued.secretKey);
    },
    mayAdminister: async () => (await (await administrator()).ListStaff({})).staff.length > 0,
    mint: async (playbackId, durationMs = 60_000, viewerId = '') =>
      (await tokens.MintPlaybackToken({ playbackId, durationMs, viewerId })).token,
    close: async () => {
      const admin = await person?.catch(() => undefined); // who asked for it has seen the error
      await Promise.all([release.close(), admin?.close(), tokens.close()]);
    },
  };
}

/** A new person of staff; returns their token. With `STAFF_TOKENS=required` the release's own token can do nothing else. */
async function addPerson(release: Pick<RpcMethods<AuthAdminClient>, 'AddStaff'>): Promise<string> {
  return (await release.AddStaff({ name: `tester-${randomUUID()}`, actor: 'tests', reason: 'tests' })).token;
}
