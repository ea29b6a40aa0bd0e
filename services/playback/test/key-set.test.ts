import { createLogger } from '@vds/chassis/telemetry/log';
import { expect } from 'chai';
import { openKeySet } from '@vds/chassis/rpc/key-set';
import { newSigner } from './fake-services.ts';

const log = createLogger('test', 'error', { write: () => {} });

describe('the key set of auth', () => {
  const setup = async (maxAgeSeconds: number, everyMs: number) => {
    const [first, second] = [await newSigner('first'), await newSigner('second')];
    const state = { fetches: 0, down: false, keys: [first.jwk], nowMs: Date.now() };
    const fetch = async () => {
      state.fetches += 1;
      if (state.down) throw new Error('auth is down');
      return { json: JSON.stringify({ keys: state.keys }), maxAgeSeconds, nowMs: state.nowMs };
    };
    return { state, second, keySet: openKeySet({ load: fetch, log, everyMs }) };
  };

  it('the key set is fetched once for concurrent requests', async () => {
    const { state, keySet } = await setup(300, 5_000);
    const keys = await Promise.all(Array.from({ length: 10 }, () => keySet.find('first')));
    expect(keys.every((key) => key !== undefined)).to.equal(true);
    await keySet.find('first');
    expect(state.fetches).to.equal(1);
  });

  it('the key set is fetched again for a missing key', async () => {
    const { state, second, keySet } = await setup(300, 0);
    await keySet.find('first');
    state.keys = [...state.keys, second.jwk];
    expect(await keySet.find('second')).not.to.equal(undefined);
    expect(state.fetches).to.equal(2);
  });

  it('the key set is not fetched repeatedly for unknown keys', async () => {
    const { state, keySet } = await setup(300, 60_000);
    for (let index = 0; index < 20; index++) expect(await keySet.find(`unknown${index}`)).to.equal(undefined);
    expect(state.fetches).to.equal(1);
  });

  it('an expired key set is fetched again and drops unpublished keys', async () => {
    const { state, second, keySet } = await setup(0, 0);
    await keySet.find('first');
    state.keys = [second.jwk];
    expect(await keySet.find('first')).to.equal(undefined);
    expect(await keySet.find('second')).not.to.equal(undefined);
  });

  it('the key set stays in use while auth is down', async () => {
    const { state, keySet } = await setup(0, 0);
    await keySet.find('first');
    state.down = true;
    expect(await keySet.find('first')).not.to.equal(undefined);
  });

  it('without a key set tokens are UNAVAILABLE until auth is back', async () => {
    const { state, keySet } = await setup(300, 0);
    state.down = true;
    const error = await keySet.find('first').catch((caught: unknown) => caught);
    expect(error).to.have.property('code', 'UNAVAILABLE');
    state.down = false;
    expect(await keySet.find('first')).not.to.equal(undefined);
  });

  it('the key set knows the time of auth, which runs on while auth is down', async () => {
    const { state, keySet } = await setup(0, 0);
    state.nowMs = 1_000_000;
    const from = performance.now();
    await keySet.find('first');
    state.down = true;
    await keySet.find('first');
    expect(keySet.now()).to.be.within(1_000_000, 1_000_000 + performance.now() - from);
  });

  it('the key set accepts only P-256 keys', async () => {
    const { state, keySet } = await setup(300, 0);
    state.keys = [...state.keys, { kty: 'oct', k: 'c2VjcmV0', kid: 'symmetric', alg: 'HS256' }];
    expect(await keySet.find('symmetric')).to.equal(undefined);
    expect(await keySet.find('first')).not.to.equal(undefined);
  });
});
