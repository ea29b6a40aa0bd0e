/** Videos belong to the publisher, not to the key that created them. */
import { expect } from 'chai';
import { until } from '@vds/testkit/until';
import type { Partner } from '../../harness/partner-client.ts';
import { outcomeOf, sharedContract, type Contract, type Outcome } from '../../harness/host/shared-contract.ts';

const source = 'https://example.com/a.mp4';

describe('videos of a key that is revoked', function () {
  this.timeout(300_000);

  let contract: Contract;
  before(async () => {
    contract = await sharedContract();
  });

  /** One video for each outcome, which the video's id selects. */
  const videosOf = async (partner: Partner): Promise<Record<Outcome, string>> => {
    const found = new Map<Outcome, string>();
    while (found.size < 3) {
      const ids = await Promise.all(Array.from({ length: 12 }, () => partner.submit(source)));
      for (const id of ids) found.set(outcomeOf(id), id);
    }
    for (const [outcome, id] of found)
      await until(async () => (await partner.get(id)).status === outcome, {
        what: `${id} is ${outcome}`,
        capMs: 200_000,
      });
    return Object.fromEntries(found) as Record<Outcome, string>;
  };
  /** A publisher with videos of its first key; then that key is revoked and another one, `next`, is issued. */
  const revokedPublisher = async (next: (publisherId: string, keyId: string) => Promise<string>) => {
    const publisherId = await contract.newPublisher('Revoked');
    const first = await contract.newKey(publisherId);
    const creator = contract.partner(first.secretKey);
    const ids = await videosOf(creator);
    const other = await next(publisherId, first.key.id);
    expect((await creator.call('GET', `/v1/videos/${ids.ready}`)).status).to.equal(401);
    return { ids, other };
  };
  const statuses = async (...calls: (() => Promise<{ status: number }>)[]): Promise<number[]> => {
    const seen: number[] = [];
    for (const call of calls) seen.push((await call()).status);
    return seen;
  };
  const manages = async (secretKey: string, { ready, failed, processing }: Record<Outcome, string>): Promise<void> => {
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
  const remainingKeys: Readonly<Record<string, (publisherId: string, keyId: string) => Promise<string>>> = {
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
  const fixtures = new Map<string, Awaited<ReturnType<typeof revokedPublisher>>>();
  before(async () => {
    const all = Object.entries(remainingKeys).map(async ([name, next]) =>
      fixtures.set(name, await revokedPublisher(next)),
    );
    await Promise.all(all);
  });
  const fixtureOf = (name: string) => {
    const found = fixtures.get(name);
    if (!found) throw new Error(`there is no fixture of ${name}`);
    return found;
  };

  it('videos of a revoked key are 404 to a key of another publisher', async () => {
    const otherPartner = contract.partner(
      (await contract.newKey(await contract.newPublisher('Other partner'))).secretKey,
    );
    for (const { ids } of fixtures.values())
      expect(
        await statuses(
          () => otherPartner.call('GET', `/v1/videos/${ids.ready}`),
          () => otherPartner.archive(ids.ready),
          () => otherPartner.republish(ids.processing),
          () => otherPartner.remove(ids.failed),
        ),
      ).to.deep.equal([404, 404, 404, 404]);
  });

  for (const name of Object.keys(remainingKeys))
    it(`videos of a revoked key are managed by ${name}`, async () => {
      const { ids, other } = fixtureOf(name);
      await manages(other, ids);
    });
});
