/** How candidates become one list, whatever the candidates are. */
import { expect } from 'chai';
import fc from 'fast-check';
import type { ItemOut } from '@vds/proto/generated/vds/indexer/v1/Item.ts';
import { feedBoost, interestAt, rankOf, trendingScore } from '../src/domain/interest.ts';
import {
  choose,
  isCopy,
  mostAlike,
  MOST_OF_PUBLISHER,
  ranked,
  seedWeights,
  sportFinding,
  togetherFindings,
  weights,
  WINDOW,
  type Candidate,
  type Source,
} from '../src/domain/recommendation.ts';

const HALF = 86_400_000;
const sources = Object.keys(weights) as Source[];

function item(videoId: string, more: Partial<ItemOut> = {}): ItemOut {
  return {
    ...{ videoId, publisherId: 'p', title: `Video ${videoId}`, tags: [], languageCode: 'en', durationMs: 60_000 },
    ...{ playbackId: '', publishedAt: '', topics: [], captionLanguages: [] },
    ...more,
  };
}

const candidates = fc.uniqueArray(
  fc.record({
    id: fc.integer({ min: 0, max: 400 }),
    publisher: fc.integer({ min: 0, max: 8 }),
    title: fc.integer({ min: 0, max: 60 }),
    duration: fc.constantFrom(60_000, 60_500, 90_000),
    findings: fc.array(
      fc.record({
        source: fc.constantFrom(...sources),
        score: fc.double({ min: 0, max: 1, noNaN: true }),
        seed: fc.constantFrom('s1', 's2'),
      }),
    ),
  }),
  { selector: ({ id }) => id, maxLength: 120 },
);
type Given = typeof candidates extends fc.Arbitrary<infer T> ? T : never;
function toCandidates(given: Given): Candidate[] {
  return given.map(({ id, publisher, title, duration, findings }) => ({
    item: item(`v${id}`, { publisherId: `p${publisher}`, title: `Title ${title}`, durationMs: duration }),
    findings: findings.map((one) => (one.source === 'fresh' ? { ...one, seed: '' } : one)),
  }));
}

describe('merging candidates', () => {
  it('the order is by score alone, whatever the order of the candidates, and each has a reason of its own findings', () => {
    fc.assert(
      fc.property(candidates, (given) => {
        const all = toCandidates(given);
        const list = ranked(all);
        expect(ranked(all.toReversed())).to.deep.equal(list);
        for (const [at, { score, reason, item: of }] of list.entries()) {
          expect(score).to.be.at.most(list[at - 1]?.score ?? Infinity);
          expect(score).to.be.within(
            0,
            Object.values(weights).reduce((total, one) => total + one, 0),
          );
          const { findings = [] } = all.find((one) => one.item === of) ?? {};
          if (reason.kind === 'fresh') expect(reason.videoId).to.equal('');
          else expect(findings.map(({ seed }) => seed)).to.include(reason.videoId);
        }
      }),
    );
  });

  it('a source that says more of a video never places it lower', () => {
    fc.assert(
      fc.property(candidates, fc.nat(), fc.constantFrom(...sources), (given, which, source) => {
        const all = toCandidates(given);
        const at = all.length === 0 ? 0 : which % all.length;
        const more = all.map((one, index) =>
          index === at ? { ...one, findings: [...one.findings, { source, score: 1, seed: 's1' }] } : one,
        );
        const place = (of: readonly Candidate[]) => ranked(of).findIndex(({ item: one }) => one === all[at]?.item);
        expect(place(more)).to.be.at.most(place(all));
      }),
    );
  });

  it('of ten neighbours two are of one publisher, over pages too, and no video or copy of one comes twice', () => {
    fc.assert(
      fc.property(candidates, fc.integer({ min: 1, max: 20 }), (given, limit) => {
        let left = ranked(toCandidates(given));
        const known = [item('seed', { title: 'Title 7', durationMs: 60_100 })];
        const shown: ItemOut[] = [];
        for (let page = 0; page < 5; page += 1) {
          const next = choose(left, limit, shown, known, true);
          shown.push(...next.chosen.map(({ item: one }) => one));
          left = [...next.left];
        }
        for (let from = 0; from < shown.length; from += 1) {
          const near = shown.slice(from, from + WINDOW).map(({ publisherId }) => publisherId);
          for (const one of near) expect(near.filter((other) => other === one).length).to.be.at.most(MOST_OF_PUBLISHER);
        }
        const all = [...known, ...shown];
        for (const [at, one] of all.entries())
          expect(
            all.slice(at + 1).some((other) => isCopy(one, other)),
            one.videoId,
          ).to.equal(false);
      }),
    );
  });

  it('a list that may have more of a publisher is filled with all that are no copies', () => {
    fc.assert(
      fc.property(candidates, (given) => {
        const list = ranked(toCandidates(given));
        const titles = new Set(given.map(({ title }) => title));
        const { chosen } = choose(list, 1_000, [], [], false);
        expect(chosen.length).to.be.within(titles.size, given.length);
      }),
    );
  });

  it('copies are told by title and duration, however the title is written', () => {
    const one = item('a', { title: 'The Final — 2026!' });
    expect(isCopy(one, item('b', { title: 'the final 2026', durationMs: 60_900 }))).to.equal(true);
    expect(isCopy(one, item('b', { title: 'the final 2026', durationMs: 61_000 }))).to.equal(false);
    expect(isCopy(one, item('b', { title: 'the final 2027' }))).to.equal(false);
    expect(isCopy(item('a', { title: '🎾' }), item('b', { title: '🏆' }))).to.equal(false);
    expect(isCopy(item('a', { title: '決勝戦' }), item('b', { title: '準決勝戦' }))).to.equal(false);
  });

  it('seeds that were watched longer and later count more, and evidence of several adds up', () => {
    const of = seedWeights([
      { videoId: 'a', share: 1 },
      { videoId: 'b', share: 1 },
      { videoId: 'left', share: 0 },
    ]);
    expect([...of.values()]).to.satisfy(([a = 0, b = 0, left = 0]: number[]) => a > b && b > left && left > 0);
    const lists = (...names: string[]) => new Map(names.map((name) => [name, [{ videoId: 'x', lift: 4 }]]));
    const [one, two] = [togetherFindings(lists('b'), of).get('x'), togetherFindings(lists('b', 'a'), of).get('x')];
    expect(two?.score)
      .to.be.above(one?.score ?? 1)
      .and.below(1);
    expect([one?.seed, two?.seed]).to.deep.equal(['b', 'a']);
    expect(togetherFindings(lists('unknown'), of).get('x')?.score).to.equal(0);
    const seeds = [item('a', { sport: 'golf', title: 'Putting' }), item('b', { sport: 'rugby', title: 'Long drives' })];
    expect(sportFinding('rugby', seeds, of)).to.deep.include({ source: 'sport', seed: 'b' });
    expect(sportFinding('golf', seeds, of).score).to.be.above(0.5);
    expect(sportFinding('tennis', seeds, of).score).to.equal(0);
    expect(mostAlike(item('x', { title: 'Longer drives, long putts' }), seeds)).to.equal('b');
  });
});

describe('interest of videos', () => {
  const interest = fc.double({ min: 0.001, max: 1e9, noNaN: true });
  const time = fc.integer({ min: 1_700_000_000_000, max: 1_900_000_000_000 });

  it('ranks tell which video has more interest at any later time, and what is left of it', () => {
    fc.assert(
      fc.property(interest, interest, time, fc.integer({ min: 0, max: 3 * HALF }), (a, b, at, later) => {
        const [one, other] = [rankOf(a, at, HALF), rankOf(b, at + later, HALF)];
        const left = a * 2 ** (-later / HALF);
        expect(interestAt(one, at + later, HALF)).to.be.closeTo(left, left * 1e-6);
        if (Math.abs(left - b) > b * 1e-6) expect(one < other).to.equal(left < b);
      }),
    );
  });

  it('interest raises a video in a feed within bounds, and a new video above an old one of the same interest', () => {
    fc.assert(
      fc.property(interest, interest, fc.nat(), fc.nat(), (a, b, one, other) => {
        expect(feedBoost(Math.max(a, b))).to.be.at.least(feedBoost(Math.min(a, b)));
        expect(feedBoost(a)).to.be.within(1, 2);
        expect(trendingScore(a, Math.min(one, other), HALF)).to.be.at.least(
          trendingScore(a, Math.max(one, other), HALF),
        );
        expect(trendingScore(a, one, HALF)).to.be.within(a, 2 * a);
      }),
    );
    expect(feedBoost(0)).to.equal(1);
  });
});
