import { expect } from 'chai';
import { createSecretKey, randomBytes } from 'node:crypto';
import { until } from '@vds/testkit/until';
import { candidateHashes, hashSecret } from '../src/outbound/key-hash.ts';
import { authDatabase, authSecrets, BOTH_SCOPES, failureOf, poolOf, startAuth, type RunningAuth } from './fixtures.ts';

describe('peppers', function () {
  this.timeout(60_000);

  it('the pepper and the id of a key both change its hash', () => {
    const [one, two] = [randomBytes(32), randomBytes(32)].map((key) => ({ id: 'p', key: createSecretKey(key) }));
    const [key, other] = ['a', 'b'].map((id) => ({ id: id.repeat(24), secret: 's'.repeat(32) }));
    const hashes = [hashSecret(one!, key!), hashSecret(one!, other!), hashSecret(two!, key!)];
    expect(new Set(hashes.map(({ hash }) => hash.toString('hex'))).size).to.equal(3);
    expect(candidateHashes([two!, one!], key!)).to.deep.equal([hashes[2], hashes[0]]);
    expect(candidateHashes([one!], key!)).to.deep.equal([hashes[0], hashes[0]]);
  });

  it('after a pepper is added each key moves to it at its first use and keeps working', async () => {
    const database = await authDatabase();
    const db = poolOf(database, 1);
    const secrets = authSecrets();
    const renewed = `two:${randomBytes(32).toString('base64')}`;
    const pepperOf = async (keyId: string): Promise<string> =>
      (await db.query<{ pepper_id: string }>('select pepper_id from api_keys where id = $1', [keyId])).rows[0]!
        .pepper_id;
    const running: RunningAuth[] = [];
    const start = async (peppers: string): Promise<RunningAuth> => {
      await running.pop()?.stop();
      running.push(await startAuth(database, { ...secrets, peppers }));
      return running[0]!;
    };
    try {
      const staff = (await start(secrets.peppers)).adminAs('vdsctl');
      const { id: publisherId } = await staff.CreatePublisher({ name: 'n', organization: 'o' });
      const [used, unused] = [
        await staff.IssueKey({ publisherId, scopes: BOTH_SCOPES }),
        await staff.IssueKey({ publisherId, scopes: BOTH_SCOPES }),
      ];

      const both = await start(`${renewed},${secrets.peppers}`);
      await both.as('gateway').Authorize({ key: used.secretKey });
      await until(async () => (await pepperOf(used.key!.id)) === 'two', { what: 'the key moves to the new pepper' });
      expect(await pepperOf(unused.key!.id)).to.equal('one');
      await both.as('gateway').Authorize({ key: used.secretKey });

      const after = await start(renewed);
      await after.as('gateway').Authorize({ key: used.secretKey });
      expect(await failureOf(after.as('gateway').Authorize({ key: unused.secretKey }))).to.have.property(
        'code',
        'UNAUTHENTICATED',
      );
    } finally {
      await running.pop()?.stop();
      await db.end();
      await database.drop();
    }
  });
});
