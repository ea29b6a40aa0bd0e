/** Edit lists that begin inside a picture which is held. */
import { expect } from 'chai';
import { mayBeginHeld, withHeldStart } from '../../src/domain/source/held-start.ts';
import { scanOf } from './probe-of.ts';

/** As the demuxer presents them: a held picture hidden, and all others moved into its place. */
const edited = { keys: Float64Array.of(-5), end: 0.3, hiddenBefore: -5 };
const scan = scanOf({ times: Float64Array.of(0, 0.1, 0.2), ...edited });
/** The file's own times, from two seconds into the held picture on. */
const unedited = scanOf({ times: Float64Array.of(-2, 3, 3.1, 3.2), keys: Float64Array.of(-2), end: 4 });

describe('withHeldStart', () => {
  it('a picture that is on when the edit list begins is shown from there on, and the others at their own times', () => {
    const held = withHeldStart(scan, unedited, 3.3);
    expect([...(held?.times ?? [])]).to.deep.equal([0, 3, 3.1, 3.2]);
    expect(held).to.include({ heldFrom: -2 });
    expect(held?.end).to.be.closeTo(3.3, 1e-9);
  });

  it('the last picture ends with the edit list', () => {
    expect(withHeldStart({ ...scan, end: 9 }, unedited, 3.25)?.end).to.be.closeTo(3.25, 1e-9);
  });

  it('a picture that would be shown for less than a tenth of a second stays hidden', () => {
    const moment = scanOf({ ...unedited, times: Float64Array.of(-2, 0.06, 0.16, 0.26) });
    expect(withHeldStart(scan, moment, 1)).to.equal(undefined);
  });

  it('edit lists that leave out more than the beginning stay as the demuxer presents them', () => {
    const shorter = scanOf({ ...unedited, times: Float64Array.of(-2, 3, 3.1) });
    expect(withHeldStart(scan, shorter, 3.3)).to.equal(undefined);
    expect(withHeldStart({ ...scan, hiddenInside: true }, unedited, 3.3)).to.equal(undefined);
  });

  it('only a hidden picture long before the first shown one makes a second look worthwhile', () => {
    expect(mayBeginHeld(scan)).to.equal(true);
    expect(mayBeginHeld({ ...scan, hiddenBefore: -0.04 })).to.equal(false);
    expect(mayBeginHeld({ ...scan, hiddenBefore: undefined })).to.equal(false);
  });
});
