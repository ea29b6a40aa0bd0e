/** Publishers, keys and videos of the contract bench. */
import { auth } from '@vds/proto';
import type { AuthAdminClient } from '@vds/proto/generated/vds/auth/v1/AuthAdmin.ts';
import { rpcClient } from '@vds/chassis/rpc/rpc-client';
import { keyIdOf, keyWithWrongSecret, unknownKey } from '@vds/auth/bench/bad-keys';
import type { Stack } from '@vds/testkit/stack/start-stack';
import { noTls } from '@vds/testkit/harness/rpc-callers';

const scopes = ['videos:read', 'videos:write'];

export async function openContract(stack: Stack) {
  const config = { rpcToken: stack.tokens.vdsctl, ...noTls };
  const admin = rpcClient<AuthAdminClient>(auth.AuthAdmin, { target: stack.rpc('auth', 'adminRpc'), config });
  const { id: publisherId } = await admin.CreatePublisher({ name: 'Bench', organization: 'Bench', actor: 'bench' });
  const other = await admin.CreatePublisher({ name: 'Other', organization: 'Other', actor: 'bench' });
  const issue = async (owner: string): Promise<string> =>
    (
      await admin.IssueKey({
        publisherId: owner,
        scopes,
        minuteLimit: 10_000,
        dailyLimit: 1_000_000,
        actor: 'bench',
      })
    ).secretKey;
  const url = stack.url('gateway');
  return {
    stack,
    url,
    port: Number(new URL(url).port),
    /** The key of the measured publisher. */
    newKey: () => issue(publisherId),
    /** A key of another publisher. */
    newOtherKey: () => issue(other.id),
    revoke: async (key: string): Promise<void> => {
      await admin.RevokeKey({ keyId: keyIdOf(key), actor: 'bench' });
    },
    /** Submits a video and returns its bare id. */
    submit: async (key: string): Promise<string> => {
      const response = await fetch(`${url}/v1/videos`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ source_url: 'https://media.example.com/final.mp4', title: 'Final' }),
      });
      const { id } = (await response.json()) as { id: string };
      return id.slice('vid_'.length);
    },
    badKeys: { wrongSecret: keyWithWrongSecret, unknown: unknownKey },
    close: () => admin.close(),
  };
}
export type Contract = Awaited<ReturnType<typeof openContract>>;
