/** The rate control of renditions: constant quality, so that bits follow the content, below the peak rate of a rung. */
import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '@vds/testkit/counts';
import { encodeArguments, FIRST_PIPE } from '../../src/domain/plan/encode-arguments.ts';
import { presets } from '../../src/domain/plan/effort.ts';
import { planEncode } from '../../src/domain/plan/encode-plan.ts';
import { filterGraph } from '../../src/domain/plan/filter-graph.ts';
import { probeOf, scanOf } from './probe-of.ts';

const times = Float64Array.from({ length: 100 }, (_, index) => index / 25);
const scan = scanOf({ times, keys: Float64Array.of(0, 2), end: 4 });
const rules = { wholeBelowSeconds: 120, pieceSeconds: 60 };

describe('the arguments of an encode', () => {
  it('stills come behind one black picture of their size, far in the future, so that ffmpeg 7 waits for none of them', () => {
    const plan = planEncode(probeOf({ width: 640, height: 360 }), scan, { bytes: 1_000, trailing: false }, rules);
    const [piece] = plan.pieces;
    if (!piece) throw new Error('a plan has at least one piece');
    const { storyboard: tiles } = plan;
    const sizes = { sheets: `${tiles.columns * tiles.width}x${tiles.rows * tiles.height}`, poster: '640x360' };
    const lines = filterGraph(plan, piece, true).split(';');
    for (const [name, size] of Object.entries(sizes)) {
      expect(lines.find((line) => line.endsWith(`[${name}_first]`))).to.match(
        new RegExp(`^color=.*:s=${size}:.*,trim=end_frame=1,`),
      );
      expect(lines).to.include(`[${name}_first][${name}_rest]concat,setpts=(N+1000000)/TB[${name}]`);
    }
  });

  it('every rung has the preset and quality that the operator chose, its own peak rate, and no mean rate', () =>
    fc.assert(
      fc.property(
        fc.record({ width: fc.integer({ min: 16, max: 4_096 }), height: fc.integer({ min: 16, max: 4_096 }) }),
        fc.constantFrom(...presets),
        fc.integer({ min: 15, max: 35 }),
        (size, preset, crf) => {
          const plan = planEncode(probeOf(size), scan, { bytes: 1_000, trailing: false }, rules);
          const [piece] = plan.pieces;
          if (!piece) throw new Error('a plan has at least one piece');
          const args = encodeArguments(plan, piece, { preset, crf, threads: 2 });
          plan.rungs.forEach((rung, index) => {
            const output = args.slice(args.indexOf(`[r${index}]`), args.indexOf(`pipe:${FIRST_PIPE + index}`));
            const valueOf = (option: string): string | undefined => output[output.indexOf(option) + 1];
            expect(valueOf('-preset')).to.equal(preset);
            expect(valueOf('-crf')).to.equal(String(crf));
            expect(valueOf('-maxrate')).to.equal(`${rung.maxRate / 1_000}k`);
            expect(valueOf('-bufsize')).to.equal(`${(2 * rung.maxRate) / 1_000}k`);
            expect(output).not.to.include('-b:v');
          });
        },
      ),
      { numRuns: runs(100) },
    ));
});
