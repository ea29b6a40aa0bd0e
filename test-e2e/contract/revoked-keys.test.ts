/** Videos belong to the publisher, not to the key that created them. */
import { expect } from 'chai';
import { until } from '@vds/testkit/until';
import type { Partner } from '../harness/partner-client.ts';
import { endOf, sharedContract, type Contract, type End } from '../harness/host/shared-contract.ts';

const source = 'https://example.com/a.mp4';

describe('videos of a key that is revoked', function () {
  this.timeout(300_000);

  let contract: Contract;
  before(async () => {
    contract = await sharedContract();
  });

  /** One video for each outcome, which the video's id selects. */
  const videosOf = async (partner: Partner): Promise<Record<End, string>> => {
    const found = new Map<End, string>();
    while (found.size < 3) {
      const ids = await Promise.all(Array.from({ length: 12 }, () => partner.submit(source)));
      for (const id of ids) found.set(endOf(id), id);
    }
    for (const [end, id] of found)
      await until(async () => (await partner.get(id)).status === end, { what: `${id} is ${end}`, capMs: 200_000 });
    return Object.fromEntries(found) as Record<End, string>;
  };
  /** A publisher with videos of its first key; then that key is revoked and another one, `next`, is issued. */
  const orphaned = async (next: (publisherId: string, keyId: string) => Promise<string>) => {
    const publisherId = await contract.newPublisher('Revoked');
    const first = await contract.newKey(publisherId);
    const maker = contract.partner(first.secretKey);
    const ids = await videosOf(maker);
    const other = await next(publisherId, first.key.id);
    expect((await maker.call('GET', `/v1/videos/${ids.ready}`)).status).to.equal(401);
    return { ids, other };
  };
  const statuses = async (...calls: (() => Promise<{ status: number }>)[]): Promise<number[]> => {
    const seen: number[] = [];
    for (const call of calls) seen.push((await call()).status);
    return seen;
  };
  const manages = async (secretKey: string, { ready, failed, processing }: Record<End, string>): Promise<void> => {
    const [one, two, three] = [0, 1, 2].map((gateway) => contract.partner(secretKey, gateway));
    if (!one || !two || !three) throw new Error('there are three gateways');
    expect((await one.get(ready)).status).to.equal('ready');
    expect(
      await statuses(
        () => two.archive(ready),
        () => three.republish(ready),
        () => one.remove(ready),
        () => one.remove(failed),
        () => two.archive(processing),
        () => three.republish(processing),
        () => one.remove(processing),
      ),
    ).to.deep.equal([200, 200, 200, 200, 202, 202, 202]);
    expect((await two.get(ready)).status).to.equal('deleted');
  };

  /** The callers with a key of the publisher after the first is revoked. */
  const heirs: Readonly<Record<string, (publisherId: string, keyId: string) => Promise<string>>> = {
    'a key that was issued after its end': async (publisherId, keyId) => {
      await contract.keys.RevokeKey({ keyId });
      return (await contract.newKey(publisherId)).secretKey;
    },
    'another key that the publisher had already': async (publisherId, keyId) => {
      const { secretKey } = await contract.newKey(publisherId);
      await contract.keys.RevokeKey({ keyId });
      return secretKey;
    },
    'the key that replaced it in a rotation': async (_publisherId, keyId) =>
      (await contract.keys.RotateKey({ keyId })).secretKey,
  };
  const left = new Map<string, Awaited<ReturnType<typeof orphaned>>>();
  before(async () => {
    const all = Object.entries(heirs).map(async ([name, next]) => left.set(name, await orphaned(next)));
    await Promise.all(all);
  });
  const leftTo = (name: string) => {
    const found = left.get(name);
    if (!found) throw new Error(`nothing was left to ${name}`);
    return found;
  };

  it('are nothing to a key of another publisher', async () => {
    const stranger = contract.partner((await contract.newKey(await contract.newPublisher('Stranger'))).secretKey);
    for (const { ids } of left.values())
      expect(
        await statuses(
          () => stranger.call('GET', `/v1/videos/${ids.ready}`),
          () => stranger.archive(ids.ready),
          () => stranger.republish(ids.processing),
          () => stranger.remove(ids.failed),
        ),
      ).to.deep.equal([404, 404, 404, 404]);
  });

  for (const name of Object.keys(heirs))
    it(`are managed by ${name}`, async () => {
      const { ids, other } = leftTo(name);
      await manages(other, ids);
    });
});
