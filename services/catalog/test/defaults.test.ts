/** The contract's times where nothing is set: what the specification says in minutes and days. */
import { readConfig } from '@vds/chassis/config/config';
import { expect } from 'chai';
import { times } from '../src/config.ts';

const minute = 60_000;
const day = 86_400_000;

describe('a video of a house without settings of its own', () => {
  const defaults = readConfig(times, {});

  it('plays on for five minutes after an archive', () => expect(defaults.gateGraceMs).to.equal(5 * minute));

  it('is deleted within a minute where a delete is queued', () =>
    expect(defaults.deleteGraceMs + defaults.tickMs).to.be.below(minute));

  it('is kept for seven days once it has failed', () => expect(defaults.failedKeepMs).to.equal(7 * day));
});
