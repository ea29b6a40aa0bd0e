/** What the list of packets reveals about pictures: which are shown, and from where on. */
import { expect } from 'chai';
import {
  beginAt,
  lastingAtLeast,
  scanPackets,
  type FrameScan,
  type ScanOptions,
} from '../../src/domain/source/frame-scan.ts';

type Row = readonly [time: number | string, flags?: string, seconds?: number];

/** Packets of the video in decode order; 40 ms long unless given. */
function scanRows(rows: readonly Row[], options: Partial<ScanOptions> = {}): FrameScan {
  const sink = scanPackets({ video: 0, audio: 1, ...options });
  rows.forEach(([time, flags = '__', seconds = 0.04], index) =>
    sink.line(`0,${time},${seconds},100,${index},${flags}`),
  );
  return sink.finish();
}

describe('the packets of a source', () => {
  it('that an edit list hides at the begin give a key to decode from, and a lead-in, but no picture', () => {
    const scan = scanRows([[-0.12, 'KD'], [-0.04, '_D'], [0.04], [-0.08, '_D'], [0]]);
    expect([...scan.times]).to.deep.equal([0, 0.04]);
    expect([...scan.keys]).to.deep.equal([-0.12]);
    expect(scan).to.include({ leadIn: 2, hiddenInside: false });
  });

  it('that an edit list hides behind the last picture are no picture, and hide nothing inside', () => {
    const scan = scanRows([[0, 'K_'], [0.04], [0.08, '_D'], [0.12, '_D']]);
    expect([...scan.times]).to.deep.equal([0, 0.04]);
    expect(scan.hiddenInside).to.equal(false);
  });

  it('that an edit list hides between two that are shown are told apart, as no time tells them', () => {
    expect(scanRows([[0, 'K_'], [0.04], [0.02, 'KD'], [0.05, '_D'], [0.08]]).hiddenInside).to.equal(true);
  });

  it('that are shown before the first key picture are a lead-in, which decoding may shorten', () => {
    const scan = scanRows([[0.2, 'K_'], [0.12], [0.08], [0.16], [0.24], [0.28]]);
    expect(scan).to.include({ leadIn: 4 });
    expect([...beginAt(scan, 0.2).times]).to.deep.equal([0.2, 0.24, 0.28]);
  });

  it('that only prepare a picture are none', () => {
    const scan = scanRows([[0, 'K_'], [0.04], [0.04], [0.08]], { shows: (at) => at !== 1 });
    expect([...scan.times]).to.deep.equal([0, 0.04, 0.08]);
    expect(scan.untimed).to.equal(0);
  });

  it('without a time, or with another one’s, leave it to decoding to say when pictures are shown', () => {
    expect(scanRows([[0, 'K_'], [0.04], ['N/A'], [0.12]]).untimed).to.equal(1);
    expect(scanRows([[0, 'K_'], [0.04], [0.04], [0.12]]).untimed).to.equal(1);
  });

  it('end with the usual gap where the last one’s length is far below it, and not where it is not', () => {
    expect(scanRows([[0, 'K_'], [0.04], [0.08, '__', 0.001]]).end).to.be.closeTo(0.12, 1e-9);
    expect(scanRows([[0, 'K_'], [0.04], [0.08, '__', 0.03]]).end).to.be.closeTo(0.11, 1e-9);
    expect(scanRows([[0, 'K_'], [0.04], [0.08, '__', 3]]).end).to.be.closeTo(3.08, 1e-9);
  });

  it('that are one picture without a length last as long as the file says', () => {
    const alone = scanRows([[2, 'K_', 0]]);
    expect(lastingAtLeast(alone, 5).end).to.equal(7);
    expect(lastingAtLeast(scanRows([[2, 'K_', 1]]), 5).end).to.equal(3);
  });

  it('end with the last one of any track, also of one that is not chosen', () => {
    const sink = scanPackets({ video: 0, audio: 1 });
    for (const line of ['0,0,0.04,100,0,K_', '1,0,0.02,10,0,K_', '2,9,1,10,0,K_']) sink.line(line);
    expect(sink.finish()).to.include({ lastEnd: 10 });
  });
});
