/** The contract's default times, in the specification's minutes and days. */
import { readConfig } from '@vds/chassis/config/config';
import { expect } from 'chai';
import { times } from '../src/config.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

describe('default settings', () => {
  const defaults = readConfig(times, {});

  it('by default playback continues for five minutes after an archive', () =>
    expect(defaults.gateGraceMs).to.equal(5 * MINUTE));

  it('by default a queued delete is carried out within a minute', () =>
    expect(defaults.deleteGraceMs + defaults.schedulerEveryMs).to.be.below(MINUTE));

  it('by default a failed video is kept for seven days', () => expect(defaults.failedKeepMs).to.equal(7 * DAY));
});
