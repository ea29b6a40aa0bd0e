/** Publishers, keys and videos of the contract bench. */
import { auth } from '@vds/proto';
import type { AuthAdminClient } from '@vds/proto/generated/vds/auth/v1/AuthAdmin.ts';
import { rpcClient } from '@vds/chassis/rpc/rpc-client';
import { formatApiKey, makeApiKey, parseApiKey } from '../../services/auth/src/domain/api-key.ts';
import { randomBase62 } from '../../services/auth/src/outbound/random-base62.ts';
import type { House } from '../house/start-house.ts';

const scopes = ['videos:read', 'videos:write'];

/** Keys with the right form and checksum that open nothing, so that only the database can tell. */
const badKeys = {
  wrongSecret: (key: string): string => formatApiKey(makeApiKey(parseApiKey(key)?.id ?? '', randomBase62(26))),
  unknown: (): string => formatApiKey(makeApiKey(randomBase62(24), randomBase62(26))),
};

export async function openContract(house: House) {
  const config = { rpcToken: house.tokens.vdsctl, tlsCertFile: undefined, tlsKeyFile: undefined, tlsCaFile: undefined };
  const admin = rpcClient<AuthAdminClient>(auth.AuthAdmin, { target: house.rpc('auth', 'adminRpc'), config });
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
  const url = house.url('gateway');
  return {
    house,
    url,
    port: Number(new URL(url).port),
    /** A key of the publisher whose requests are measured. */
    newKey: () => issue(publisherId),
    /** A key of another publisher. */
    newOtherKey: () => issue(other.id),
    revoke: async (key: string): Promise<void> => {
      await admin.RevokeKey({ keyId: parseApiKey(key)?.id ?? '', actor: 'bench' });
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
    badKeys,
    close: () => admin.close(),
  };
}
export type Contract = Awaited<ReturnType<typeof openContract>>;
