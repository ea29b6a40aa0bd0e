import { expect } from 'chai';
import fc from 'fast-check';
import { levelOf, maxRateOf, planLadder } from '../../src/domain/plan/ladder.ts';

const side = fc.integer({ min: 1, max: 8_192 });
const pictures = fc.record({ width: side, height: side, frameRate: fc.double({ min: 1, max: 60, noNaN: true }) });
function sizes(width: number, height: number): string[] {
  return planLadder({ width, height, frameRate: 30 }).map((rung) => `${rung.width}x${rung.height}`);
}

describe('planLadder', () => {
  it('a ladder has rungs of even sizes, largest first, each once, none larger than the source', () => {
    fc.assert(
      fc.property(pictures, (picture) => {
        const ladder = planLadder(picture);
        ladder.forEach((rung, index) => {
          expect((rung.width % 2) + (rung.height % 2)).to.equal(0);
          expect(rung.width).to.be.within(2, Math.max(2, picture.width));
          expect(rung.height).to.be.within(2, Math.max(2, picture.height));
          const above = ladder[index - 1];
          if (above) expect(rung.width * rung.height).to.be.lessThan(above.width * above.height);
          if (above) expect(rung.maxRate).to.be.at.most(above.maxRate);
        });
        expect(new Set(ladder.map(({ name }) => name)).size).to.equal(ladder.length);
        expect(Math.min(ladder[0].width, ladder[0].height)).to.be.at.most(1_080);
      }),
    );
  });

  it('a ladder has the standard sizes of HLS ladders', () => {
    expect(sizes(1_920, 1_080)).to.deep.equal(['1920x1080', '1280x720', '854x480', '640x360', '426x240']);
    expect(sizes(1_080, 1_920)).to.deep.equal(['1080x1920', '720x1280', '480x854', '360x640', '240x426']);
    expect(sizes(3_840, 2_160)[0]).to.equal('1920x1080');
    expect(sizes(640, 480)).to.deep.equal(['640x480', '480x360', '320x240']);
    expect(sizes(960, 540)).to.deep.equal(['960x540', '640x360', '426x240']);
    expect(sizes(160, 120)).to.deep.equal(['160x120']);
    expect(sizes(3, 1)).to.deep.equal(['2x2']);
  });

  it('a rung has the lowest H.264 level that fits its size and rate', () => {
    expect(levelOf(1_920, 1_080, 30, 5_000_000)).to.equal('4.0');
    expect(levelOf(1_920, 1_080, 60, 7_000_000)).to.equal('4.2');
    expect(levelOf(1_280, 720, 30, 2_700_000)).to.equal('3.1');
    expect(levelOf(426, 240, 30, 600_000)).to.equal('2.1');
  });

  it('a rung gets more bits for more pixels and for more frames', () => {
    expect(maxRateOf(1_920, 1_080, 30)).to.equal(5_000_000);
    expect(maxRateOf(1_920, 1_080, 60)).to.be.within(6_000_000, 8_000_000);
    expect(maxRateOf(2, 2, 30)).to.equal(100_000);
  });

  it('the operator names the largest rung: up to 2160 lines, never larger than the source', () => {
    const names = (height: number, largest: number): string[] =>
      planLadder({ width: (height * 16) / 9, height, frameRate: 30 }, largest).map(({ name }) => name);
    expect(names(2_160, 2_160)).to.deep.equal(['2160p', '1440p', '1080p', '720p', '480p', '360p', '240p']);
    expect(names(2_160, 1_440)[0]).to.equal('1440p');
    expect(names(1_440, 2_160)[0]).to.equal('1440p');
    expect(names(2_160, 1_080)[0]).to.equal('1080p');
  });
});
