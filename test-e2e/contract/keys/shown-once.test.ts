/** The full key is in the response that issues it and cannot be read from anywhere afterwards. */
import { join } from 'node:path';
import { expect } from 'chai';
import { auth } from '@vds/proto';
import { vdsctl } from '@vds/vdsctl/inbound/vdsctl';
import { messageOf } from '@vds/chassis/errors';
import { foundIn, encodingsOf, tablesOf } from '../../probes/secret-scan.ts';
import { sharedContract, type Contract } from '../../harness/host/shared-contract.ts';

type Reply = {
  readonly responseType: { readonly type: { readonly name: string; readonly field: { name: string }[] } };
};
const definitions = { ...auth.AuthAdmin.service, ...auth.AuthService.service } as unknown as Record<string, Reply>;
/** Each creates a new key. */
const issuing = ['IssueKey', 'RotateKey'];

describe('a key that was issued', function () {
  this.timeout(300_000);

  let contract: Contract;
  let publisherId: string;
  let keyId: string;
  let secretKey: string;
  before(async () => {
    contract = await sharedContract();
    publisherId = await contract.newPublisher('Shown once');
    const issued = await contract.newKey(publisherId);
    [keyId, secretKey] = [issued.key.id, issued.secretKey];
  });

  it('only the replies to issuing and rotating a key have a field for its secret', () => {
    const withSecret = Object.entries(definitions).flatMap(([method, { responseType }]) =>
      responseType.type.field.some(({ name }) => /secret/i.test(name)) ? [method] : [],
    );
    expect(withSecret.toSorted()).to.deep.equal(issuing);
    for (const [method, { responseType }] of Object.entries(definitions))
      if (responseType.type.name === 'IssuedKey') expect(issuing).to.include(method);
  });

  it('the secret of a key is in no reply of any other admin call', async () => {
    const request = {
      publisherId,
      keyId,
      name: 'Shown once',
      organization: 'Shown once',
      scopes: ['videos:read'],
      minuteLimit: 9,
      rotateKey: { keyId },
    };
    const calls = contract.keys as unknown as Record<string, (request: object) => Promise<unknown>>;
    const methods = Object.keys(auth.AuthAdmin.service).filter(
      (name) => ![...issuing, 'RotateSigningKey'].includes(name),
    );
    const replies: Record<string, string> = {};
    for (const method of methods)
      replies[method] = await (calls[method]?.(request) ?? Promise.reject(new Error('no such call'))).then(
        (reply) => JSON.stringify(reply),
        (error: unknown) => messageOf(error), // a rejection is a result, too
      );
    expect(foundIn(replies, [keyId])).to.include.members(['ListKeys', 'SetLimits', 'RevokeKey']);
    expect(foundIn(replies, encodingsOf(secretKey))).to.deep.equal([]);
  });

  it('vdsctl prints the secret of a key only when it is issued, as text and as JSON', async () => {
    const output: string[] = [];
    const write = (text: string): void => void output.push(text);
    const ctl = async (...args: string[]): Promise<string> => {
      output.length = 0;
      const env = ['--env', join(contract.stack.dir, 'vdsctl.env')];
      expect(await vdsctl([...args, ...env], { environment: {}, out: write, err: write }), output.join('\n')).to.equal(
        0,
      );
      return output.join('\n');
    };
    const why = ['--actor', 'sam', '--reason', 'a test'];
    const shown = await ctl('key', 'issue', publisherId, '--json', ...why);
    const issued = JSON.parse(shown) as { secret_key: string; key: { id: string } };
    expect(foundIn({ shown }, encodingsOf(issued.secret_key))).to.deep.equal(['shown']);
    const { id } = issued.key;
    const outputs: Record<string, string> = {};
    for (const form of [[], ['--json']])
      for (const verb of [
        ['key', 'list', publisherId],
        ['key', 'show', id],
        ['key', 'limits', id, '--daily-limit', '9', ...why],
        ['key', 'rotate', id, '--dry-run', ...why],
        ['key', 'revoke', id, '--dry-run', ...why],
        ['publisher', 'show', publisherId],
        ['audit', '--key', id],
      ])
        outputs[[...verb, ...form].join(' ')] = await ctl(...verb, ...form);
    outputs['key revoke'] = await ctl('key', 'revoke', id, ...why);
    expect(foundIn(outputs, [id, publisherId])).to.deep.equal(Object.keys(outputs));
    expect(foundIn(outputs, encodingsOf(issued.secret_key))).to.deep.equal([]);
  });

  it('the secret of a key is in no table of any database', async () => {
    const tables = await tablesOf(contract.stack);
    expect(foundIn(tables, [keyId])).to.include('database auth public.api_keys id');
    expect(foundIn(tables, encodingsOf(secretKey))).to.deep.equal([]);
  });
});
