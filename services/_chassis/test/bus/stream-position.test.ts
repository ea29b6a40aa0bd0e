import fc from 'fast-check';
import { expect } from 'chai';
import { streamPosition } from '../../src/bus/stream-position.ts';

describe('the position of a stream', () => {
  it('reports exactly the losses that a check can see, however publishes, checks and rollbacks follow each other', () => {
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.constant({ kind: 'publish' as const }) },
      { weight: 3, arbitrary: fc.constant({ kind: 'foreign' as const }) },
      { weight: 3, arbitrary: fc.constant({ kind: 'check' as const }) },
      {
        weight: 1,
        arbitrary: fc.record({ kind: fc.constant('rollback' as const), by: fc.integer({ min: 1, max: 9 }) }),
      },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const position = streamPosition();
        let last = 0;
        let known = 0; // the highest sequence that this process was told
        let lost: number | undefined; // what remained after the rollbacks since the last check
        let isRepeated = false; // whether this process was told a sequence that it knew already
        for (const one of steps) {
          if (one.kind === 'rollback') {
            last = Math.max(0, last - one.by);
            if (last < known) lost = Math.min(lost ?? Infinity, last);
          } else if (one.kind === 'check') {
            const reported = position.observed(last, position.highest());
            // Where other processes have published meanwhile, the loss is known only from the sequences seen here.
            if (last < known || isRepeated) expect(reported).to.be.at.least(lost ?? Infinity);
            else expect(reported).to.equal(undefined);
            known = Math.max(lost === undefined ? known : 0, last);
            [lost, isRepeated] = [undefined, false];
          } else {
            last += 1;
            if (one.kind === 'foreign') continue;
            position.acknowledged(last, position.highest());
            isRepeated ||= last <= known;
            known = Math.max(known, last);
          }
        }
      }),
    );
  });

  it('a loss is noticed even where so much was published since that the stream is longer than before', () => {
    const position = streamPosition();
    for (let sequence = 1; sequence <= 100; sequence++) position.acknowledged(sequence, position.highest());
    for (let sequence = 61; sequence <= 140; sequence++) position.acknowledged(sequence, position.highest());
    expect(position.observed(140, position.highest())).to.equal(60);
    expect(position.observed(140, position.highest())).to.equal(undefined);
  });

  it('acknowledgements that overtake each other are no loss', () => {
    const position = streamPosition();
    const sentAfter = position.highest();
    for (const sequence of [3, 1, 2]) position.acknowledged(sequence, sentAfter);
    expect(position.observed(2, sentAfter)).to.equal(undefined);
    expect(position.observed(3, position.highest())).to.equal(undefined);
  });

  it('a stream that ends before what earlier processes knew is a loss', () => {
    const position = streamPosition();
    position.raise(100);
    expect(position.observed(60, position.highest())).to.equal(60);
    expect(position.observed(60, position.highest())).to.equal(undefined);
  });
});
