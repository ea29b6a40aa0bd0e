/** What the list of packets reveals about pictures: which are shown, and from where on. */
import { expect } from 'chai';
import {
  beginAt,
  lastingAtLeast,
  scanPackets,
  scanShown,
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

describe('scanPackets', () => {
  it('pictures that an edit list hides at the start yield a key and a lead-in, but are not shown', () => {
    const scan = scanRows([[-0.12, 'KD'], [-0.04, '_D'], [0.04], [-0.08, '_D'], [0]]);
    expect([...scan.times]).to.deep.equal([0, 0.04]);
    expect([...scan.keys]).to.deep.equal([-0.12]);
    expect(scan).to.include({ leadIn: 2, hiddenInside: false });
  });

  it('pictures that an edit list hides after the last one are not shown and do not count as hidden inside', () => {
    const scan = scanRows([[0, 'K_'], [0.04], [0.08, '_D'], [0.12, '_D']]);
    expect([...scan.times]).to.deep.equal([0, 0.04]);
    expect(scan.hiddenInside).to.equal(false);
  });

  it('pictures that an edit list hides between shown ones count as hidden inside', () => {
    expect(scanRows([[0, 'K_'], [0.04], [0.02, 'KD'], [0.05, '_D'], [0.08]]).hiddenInside).to.equal(true);
  });

  it('the length of sound is that of its packets, without gaps that are stored as their length', () => {
    const sink = scanPackets({ video: 0, audio: 1 });
    for (const [time, seconds, flags] of [
      [-0.02, 0.02, 'KD'],
      [0, 0.02, 'K_'],
      [0.02, 3, 'K_'],
      [3.02, 0.02, 'K_'],
    ])
      sink.line(`1,${time},${seconds},100,0,${flags}`);
    const { audio, soundLength } = sink.finish();
    expect(audio?.end).to.be.closeTo(3.04, 1e-9);
    expect(soundLength).to.be.closeTo(0.24, 1e-9);
  });

  it('a last packet of sound without a length lasts as long as the one before', () => {
    const ends = ['N/A', '0.032'].map((length) => {
      const sink = scanPackets({ video: 0, audio: 1 });
      for (const row of ['1,0,0.032,100,0,K_', '1,0.032,0.032,100,0,K_', `1,0.064,${length},100,0,K_`]) sink.line(row);
      const { audio, soundLength } = sink.finish();
      return { end: audio?.end, soundLength };
    });
    expect(ends[0]).to.deep.equal(ends[1]);
    expect(ends[0]?.end).to.be.closeTo(0.096, 1e-9);
  });

  it('pictures before the first key picture form a lead-in, which decoding may shorten', () => {
    const scan = scanRows([[0.2, 'K_'], [0.12], [0.08], [0.16], [0.24], [0.28]]);
    expect(scan).to.include({ leadIn: 4 });
    expect([...beginAt(scan, 0.2).times]).to.deep.equal([0.2, 0.24, 0.28]);
    expect([0.05, 0.2].map((first) => beginAt(scan, first).lostFrom)).to.deep.equal([undefined, 0.08]);
  });

  it('packets that only prepare a picture are not counted as pictures', () => {
    const scan = scanRows([[0, 'K_'], [0.04], [0.04], [0.08]], { shows: (at) => at !== 1 });
    expect([...scan.times]).to.deep.equal([0, 0.04, 0.08]);
    expect(scan.untimed).to.equal(0);
  });

  it('packets without a time, or with the time of another one, count as untimed', () => {
    expect(scanRows([[0, 'K_'], [0.04], ['N/A'], [0.12]]).untimed).to.equal(1);
    expect(scanRows([[0, 'K_'], [0.04], [0.04], [0.12]]).untimed).to.equal(1);
  });

  it('key pictures without a time are followed by pictures that count as untimed', () => {
    expect(scanRows([['N/A', 'K_'], ['N/A'], ['N/A']])).to.include({ leadIn: 1, untimed: 2 });
  });

  it('new headers of the video, not of another track, make it indivisible', () => {
    expect(
      scanRows([
        [0, 'K_'],
        [0.04, 'K_,New Extradata'],
      ]).indivisible,
    ).to.equal(true);
    expect(
      scanRows([
        [0, 'K_'],
        [0.04, 'K_,Matroska BlockAdditional'],
      ]).indivisible,
    ).to.equal(false);
    const sink = scanPackets({ video: 0, audio: 1 });
    for (const line of ['0,0,0.04,100,0,K_', '1,0,0.02,10,0,K_,New Extradata']) sink.line(line);
    expect(sink.finish().indivisible).to.equal(false);
  });

  it('the last picture lasts the usual gap only where its declared duration is far shorter', () => {
    expect(scanRows([[0, 'K_'], [0.04], [0.08, '__', 0.001]]).end).to.be.closeTo(0.12, 1e-9);
    expect(scanRows([[0, 'K_'], [0.04], [0.08, '__', 0.03]]).end).to.be.closeTo(0.11, 1e-9);
    expect(scanRows([[0, 'K_'], [0.04], [0.08, '__', 3]]).end).to.be.closeTo(3.08, 1e-9);
  });

  it('a single picture without a duration lasts as long as the file declares', () => {
    const alone = scanRows([[2, 'K_', 0]]);
    expect(lastingAtLeast(alone, 5).end).to.equal(7);
    expect(lastingAtLeast(scanRows([[2, 'K_', 1]]), 5).end).to.equal(3);
  });

  it('a scan ends with the last packet of any track, even of one that is not selected', () => {
    const sink = scanPackets({ video: 0, audio: 1 });
    for (const line of ['0,0,0.04,100,0,K_', '1,0,0.02,10,0,K_', '2,9,1,10,0,K_']) sink.line(line);
    expect(sink.finish()).to.include({ lastEnd: 10 });
  });
});

describe('scanShown', () => {
  it('pictures that are shown last without a time follow at the usual distance, and only they', () => {
    const sink = scanShown();
    for (const line of ['0.08,0.04', 'N/A,0.04', '0.16,0.04', '0.2,0.04', 'N/A,0.04', 'N/A,0.04']) sink.line(line);
    const scan = sink.finish(scanRows([['N/A', 'K_'], ['N/A']]));
    expect([...scan.times].map((time) => time.toFixed(2))).to.deep.equal(['0.08', '0.16', '0.20', '0.28', '0.36']);
    expect([...scan.keys]).to.deep.equal([0.08]);
    expect(scan).to.include({ untimed: 0, indivisible: true });
  });
});
