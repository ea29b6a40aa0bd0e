import { expect } from 'chai';
import { judge } from './judge.ts';
import { filmed, games, isMoment, type Game, type Part } from './made-games.ts';
import { figuresOf, momentsOf } from './moments.ts';
import { simulate } from './simulated.ts';

function gamesOf(part: Part): Game[] {
  return games.filter((game) => game.part === part);
}

describe('judged set of key moments', function () {
  this.timeout(30_000);
  it('each half has eight games with at least eight known moments and every kind of decoy, and three games are filmed', () => {
    for (const part of ['tuning', 'held-out'] satisfies Part[]) {
      expect(gamesOf(part)).to.have.length(8);
      for (const { id, happenings } of gamesOf(part)) {
        expect(happenings.filter(isMoment).length, id).to.be.at.least(8);
        expect(new Set(happenings.filter((one) => !isMoment(one)).map(({ kind }) => kind)).size, id).to.equal(9);
      }
    }
    expect(filmed.map(({ part }) => part)).to.deep.equal(['tuning', 'held-out', 'held-out']);
  });

  it('the commentators of the two halves share no sentence', () => {
    const texts = (part: Part): string[] =>
      gamesOf(part).flatMap(({ happenings, calm }) => [...calm, ...happenings.flatMap(({ line }) => line?.text ?? [])]);
    const tuning = new Set(texts('tuning'));
    expect(texts('held-out').filter((text) => tuning.has(text))).to.deep.equal([]);
  });

  it('seven of the first ten key moments of the held-out games are right, and most known ones are found', () => {
    const results = gamesOf('held-out').map((game) => judge(game, momentsOf(simulate(game))));
    const { precision, recall } = figuresOf(results);
    expect(precision).to.be.at.least(0.7);
    expect(recall).to.be.at.least(0.6);
  });

  it('a moment that shows nothing, or what another one has shown, is wrong', () => {
    const [game] = gamesOf('tuning');
    const first = game?.happenings.find(isMoment);
    if (!game || !first) throw new Error('the set is empty');
    const moment = {
      startMs: first.at * 1_000 - 1,
      endMs: first.at * 1_000 + 5_000,
      score: 1,
      reasons: [],
      title: '',
      languageCode: '',
    };
    const { right, found } = judge(game, [moment, moment, { ...moment, startMs: 0, endMs: 5_000 }]);
    expect({ right, found }).to.deep.equal({ right: 1, found: 3 });
  });
});
