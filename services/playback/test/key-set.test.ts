import { createLogger } from '@vds/chassis/telemetry/log';
import { expect } from 'chai';
import { openKeySet } from '../src/outbound/key-set.ts';
import { newSigner } from './fake-services.ts';

const log = createLogger('test', 'error', { write: () => {} });

describe('the key set', () => {
  const setup = async (maxAgeSeconds: number, everyMs: number) => {
    const [first, second] = [await newSigner('first'), await newSigner('second')];
    const state = { asked: 0, away: false, keys: [first.jwk] };
    const fetch = async () => {
      state.asked += 1;
      if (state.away) throw new Error('auth is away');
      return { json: JSON.stringify({ keys: state.keys }), maxAgeSeconds };
    };
    return { state, second, keySet: openKeySet({ fetch, log, everyMs }) };
  };

  it('is fetched once, also for many who ask at the same time', async () => {
    const { state, keySet } = await setup(300, 5_000);
    const keys = await Promise.all(Array.from({ length: 10 }, () => keySet.find('first')));
    expect(keys.every((key) => key !== undefined)).to.equal(true);
    await keySet.find('first');
    expect(state.asked).to.equal(1);
  });

  it('is fetched again for a key that it does not have', async () => {
    const { state, second, keySet } = await setup(300, 0);
    await keySet.find('first');
    state.keys = [...state.keys, second.jwk];
    expect(await keySet.find('second')).not.to.equal(undefined);
    expect(state.asked).to.equal(2);
  });

  it('is not fetched again and again for keys that nobody has', async () => {
    const { state, keySet } = await setup(300, 60_000);
    for (let index = 0; index < 20; index++) expect(await keySet.find(`invented${index}`)).to.equal(undefined);
    expect(state.asked).to.equal(1);
  });

  it('is fetched again when it has grown old, and forgets what is no longer published', async () => {
    const { state, second, keySet } = await setup(0, 0);
    await keySet.find('first');
    state.keys = [second.jwk];
    expect(await keySet.find('first')).to.equal(undefined);
    expect(await keySet.find('second')).not.to.equal(undefined);
  });

  it('stays in use while auth is away', async () => {
    const { state, keySet } = await setup(0, 0);
    await keySet.find('first');
    state.away = true;
    expect(await keySet.find('first')).not.to.equal(undefined);
  });

  it('says that it cannot tell when there never was one, and recovers', async () => {
    const { state, keySet } = await setup(300, 0);
    state.away = true;
    const error = await keySet.find('first').catch((caught: unknown) => caught);
    expect(error).to.have.property('code', 'UNAVAILABLE');
    state.away = false;
    expect(await keySet.find('first')).not.to.equal(undefined);
  });

  it('takes only P-256 keys', async () => {
    const { state, keySet } = await setup(300, 0);
    state.keys = [...state.keys, { kty: 'oct', k: 'c2VjcmV0', kid: 'symmetric', alg: 'HS256' }];
    expect(await keySet.find('symmetric')).to.equal(undefined);
    expect(await keySet.find('first')).not.to.equal(undefined);
  });
});
