import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import { readConfig } from '@vds/chassis/config/config';
import { authConfig, peppers, sealingSecrets } from '../src/config.ts';
import { DEFAULT_LIMITS } from '../src/domain/key-settings.ts';

function key(bytes: number): string {
  return randomBytes(bytes).toString('base64');
}

describe('the configuration of auth', () => {
  it('by default a key may send 60 requests in 60 seconds and submit 500 videos a day', () => {
    expect(readConfig({ windowMs: authConfig.windowMs }, {}).windowMs).to.equal(60_000);
    expect(DEFAULT_LIMITS).to.deep.equal({ minuteLimit: 60, dailyLimit: 500 });
  });

  it('KEY_PEPPERS has one pepper or two, the first of which is current', () => {
    const [one, two] = [key(32), key(48)];
    expect(
      peppers(`a:${one}`, 'P').map((pepper) => [pepper?.id, pepper?.key.export().toString('base64')]),
    ).to.deep.equal([['a', one]]);
    expect(peppers(`b:${two},a:${one}`, 'P').map((pepper) => pepper?.id)).to.deep.equal(['b', 'a']);
  });

  it('short, unnamed, duplicate and surplus peppers are rejected without being printed', () => {
    const one = key(32);
    const wrong = [
      '',
      one,
      `a:${key(31)}`,
      'a:not base64',
      `a:${one},a:${one}`,
      `a:${one},b:${one},c:${one}`,
      `a:${one},`,
    ];
    for (const value of wrong) {
      expect(() => peppers(value, 'P'), value)
        .to.throw(/^P /)
        .with.property('message')
        .that.does.not.contain(one);
    }
  });

  it('SIGNING_KEY_SECRET is one secret or two, the first of which is current, each of exactly 32 bytes', () => {
    const [one, two] = [key(32), key(32)];
    expect(sealingSecrets(one, 'S')).to.deep.equal([Buffer.from(one, 'base64')]);
    expect(sealingSecrets(`${two},${one}`, 'S')[1]).to.deep.equal(Buffer.from(one, 'base64'));
    for (const wrong of [key(33), `${one},${key(31)}`])
      expect(() => sealingSecrets(wrong, 'S')).to.throw('S must be the base64 of');
    for (const wrong of ['short', `${one},`]) expect(() => sealingSecrets(wrong, 'S')).to.throw('S must be the base64');
    expect(() => sealingSecrets(`${one},${two},${one}`, 'S')).to.throw('S must have one or two entries');
  });
});
