/** Which of several tracks are chosen. */
import { expect } from 'chai';
import { chooseTrack, isPassedOver, type Track } from '../../src/domain/source/tracks.ts';

const usual: Track = { playable: true, isDefault: false, additional: false, pixels: 0, packets: undefined };

describe('chooseTrack and isPassedOver', () => {
  const cases: readonly (readonly [
    what: string,
    one: Partial<Track>,
    other: Partial<Track>,
    chosen: 0 | 1,
    passedOver: boolean,
  ])[] = [
    ['the first of two equal tracks is chosen', {}, {}, 0, false],
    ['the default track is chosen', { pixels: 900 }, { isDefault: true, pixels: 100 }, 1, false],
    ['the larger of two default tracks is chosen', { pixels: 100 }, { pixels: 900 }, 1, false],
    ['commentary is not chosen before the film', { additional: true }, {}, 1, false],
    ['a default track that cannot be played is passed over', { playable: false, isDefault: true }, {}, 1, true],
    ['a track that nobody would choose is not passed over', {}, { playable: false }, 0, false],
    ['one picture is not the film', { isDefault: true, packets: 1 }, { packets: 40 }, 1, false],
    ['a cover that cannot be played is not passed over', { playable: false, packets: 1 }, { packets: 40 }, 1, false],
    ['one picture is not the film, even where only it can be played', { packets: 1 }, { playable: false }, 1, false],
    ['stills are not the film, though larger', { pixels: 100, packets: 90 }, { pixels: 900, packets: 8 }, 0, false],
    ['stills are not the film, though default', { isDefault: true, packets: 8 }, { packets: 90 }, 1, false],
    [
      'slides are shown where the other film is hardly longer',
      { isDefault: true, packets: 9 },
      { packets: 90 },
      0,
      false,
    ],
    ['a film of one picture is chosen before an empty track', { packets: 0 }, { packets: 1 }, 1, false],
  ];
  for (const [what, one, other, chosen, passedOver] of cases)
    it(what, () => {
      const tracks = [one, other].map((track) => ({ ...usual, ...track }));
      expect(chooseTrack(tracks, 2)).to.equal(tracks[chosen]);
      expect(isPassedOver(tracks, 2)).to.equal(passedOver);
    });
});
