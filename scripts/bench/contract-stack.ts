/** Publishers, keys and videos of the contract bench. */
import { auth } from '@vds/proto';
import type { AuthAdminClient } from '@vds/proto/generated/vds/auth/v1/AuthAdmin.ts';
import { rpcClient } from '@vds/chassis/rpc/rpc-client';
import { keyIdOf, keyWithWrongSecret, unknownKey } from '@vds/auth/bench/bad-keys';
import { noTls } from '@vds/testkit/harness/rpc-callers';
import { LARGEST_LIMITS } from '@vds/testkit/stack/operator';
import { partnerAt } from '@vds/testkit/stack/partner';
import type { BenchStack } from '@vds/testkit/stack/with-stack';

export async function openContract({ stack, operator }: BenchStack) {
  const config = { rpcToken: stack.tokens.vdsctl, ...noTls };
  const admin = rpcClient<AuthAdminClient>(auth.AuthAdmin, { target: stack.rpc('auth', 'adminRpc'), config });
  const [publisher, other] = [await operator.publisher('Bench', 'Bench'), await operator.publisher('Other', 'Other')];
  const url = stack.url('gateway');
  return {
    stack,
    url,
    port: Number(new URL(url).port),
    /** The key of the measured publisher. */
    newKey: () => operator.key(publisher, LARGEST_LIMITS),
    /** A key of another publisher. */
    newOtherKey: () => operator.key(other, LARGEST_LIMITS),
    revoke: async (key: string): Promise<void> => {
      await admin.RevokeKey({ keyId: keyIdOf(key), actor: 'bench' });
    },
    /** Submits a video and returns its bare id. */
    submit: async (key: string): Promise<string> => {
      const video = { source_url: 'https://media.example.com/final.mp4', title: 'Final' };
      return (await partnerAt(url, key).submit(video)).id.slice('vid_'.length);
    },
    badKeys: { wrongSecret: keyWithWrongSecret, unknown: unknownKey },
    close: () => admin.close(),
  };
}
export type Contract = Awaited<ReturnType<typeof openContract>>;
