import { expect } from 'chai';
import fc from 'fast-check';
import { decay, lengthBand, tallyInterest, type HourOfVideo } from '../src/domain/interest.ts';
import { firstIdAt } from '../src/domain/warehouse/behaviour.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 10, 20);

const hours = fc.array(
  fc.record({
    videoId: fc.constantFrom('a', 'b', 'c', 'd'),
    hourMs: fc.integer({ min: 0, max: 168 }).map((ago) => NOW - ago * HOUR),
    durationMs: fc.constantFrom(15_000, 60_000, 3_600_000),
    viewers: fc.integer({ min: 1, max: 500 }),
    share: fc.double({ min: 0.01, max: 1, noNaN: true }),
  }),
  { minLength: 1, maxLength: 60 },
);
function toHours(given: readonly (Omit<HourOfVideo, 'shares'> & { share: number })[]): HourOfVideo[] {
  return given.map(({ share, ...hour }) => ({ ...hour, shares: share * hour.viewers }));
}
function interestOf(of: readonly HourOfVideo[], minViewers = 0, at = NOW): Map<string, number> {
  const tally = tallyInterest(at, DAY);
  for (const hour of of) tally.add(hour);
  return new Map([...tally.interests(minViewers)].map(({ videoId, interest }) => [videoId, interest]));
}

describe('interest in videos', () => {
  it('half is left after each half-life, and a time to come counts as now', () => {
    expect([decay(0, DAY), decay(DAY, DAY), decay(2 * DAY, DAY), decay(-DAY, DAY)]).to.deep.equal([1, 0.5, 0.25, 1]);
    expect([lengthBand(0), lengthBand(1_500), lengthBand(60_000), lengthBand(63_999)]).to.deep.equal([0, 0, 5, 5]);
  });

  it('the order of the hours does not matter, and all of a video can be told in one or several hours', () => {
    fc.assert(
      fc.property(hours, (given) => {
        const all = toHours(given);
        const split = all.flatMap((hour) =>
          hour.viewers < 2
            ? [hour]
            : [
                { ...hour, viewers: 1, shares: hour.shares / 4 },
                { ...hour, viewers: hour.viewers - 1, shares: (3 * hour.shares) / 4 },
              ],
        );
        const [once, twice] = [interestOf(all), interestOf(split.toReversed())];
        // The length of a video is one; here it is that of its last hour.
        const same = all.every(({ videoId, durationMs }) =>
          all.every((other) => other.videoId !== videoId || other.durationMs === durationMs),
        );
        fc.pre(same);
        for (const [videoId, interest] of once) expect(twice.get(videoId)).to.be.closeTo(interest, 1e-6 * interest);
      }),
    );
  });

  it('a day later half of it is left, and of videos of one length the one that is watched more has more', () => {
    fc.assert(
      fc.property(hours, (given) => {
        const all = toHours(given);
        const [today, tomorrow] = [interestOf(all), interestOf(all, 0, NOW + DAY)];
        for (const [videoId, interest] of today)
          expect(tomorrow.get(videoId)).to.be.closeTo(interest / 2, 1e-9 * interest);
        const alike = all.map((hour) => ({ ...hour, videoId: 'more', shares: hour.viewers, durationMs: 15_000 }));
        const less = alike.map((hour) => ({ ...hour, videoId: 'less', shares: hour.viewers / 2 }));
        const both = interestOf([...all, ...alike, ...less]);
        expect(both.get('more')).to.be.above(both.get('less') ?? 0);
      }),
    );
  });

  it('lengths are compared among themselves: where all are watched as is usual for them, each viewer counts alike', () => {
    const short = { videoId: 'short', hourMs: NOW, durationMs: 15_000, viewers: 100_000, shares: 90_000 };
    const long = { videoId: 'long', hourMs: NOW, durationMs: 5_400_000, viewers: 100_000, shares: 20_000 };
    const found = interestOf([short, long]);
    expect((found.get('long') ?? 0) / (found.get('short') ?? 1)).to.be.closeTo(1, 0.01);
    expect(found.get('long')).to.be.closeTo(100_000, 100);
  });

  it('a video of few viewers is not told', () => {
    const of = (videoId: string, viewers: number) => ({
      videoId,
      hourMs: NOW,
      durationMs: 9_000,
      viewers,
      shares: viewers,
    });
    expect([...interestOf([of('two', 2), of('three', 3)], 3).keys()]).to.deep.equal(['three']);
    expect(interestOf([]).size).to.equal(0);
  });

  it('ids of videos that were made later are not before the first id of a time', () => {
    // https://github.com/jetify-com/typeid/blob/main/spec/valid.yml
    const uuid = 0x0188bac7_4afa;
    expect('01h2xcejqtf2nbrexx3vqjhp41'.startsWith(firstIdAt(uuid))).to.equal(true);
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (one, other) => {
        const [early, late] = [Math.min(one, other) * 64, Math.max(one, other) * 64];
        expect(firstIdAt(early) <= firstIdAt(late)).to.equal(true);
      }),
    );
  });
});
