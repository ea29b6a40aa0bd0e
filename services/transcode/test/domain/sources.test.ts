/** How a source's bytes and their probe are interpreted. */
import { expect } from 'chai';
import fc from 'fast-check';
import { makeBox } from '../../src/domain/cmaf/boxes.ts';
import type { Extents, ExtentsWalk } from '../../src/domain/source/extents.ts';
import { walkMatroska } from '../../src/domain/source/matroska-extents.ts';
import { walkMp4 } from '../../src/domain/source/mp4-extents.ts';
import { readProbe, uprightOf, withFirstPictures } from '../../src/domain/source/probe.ts';
import { scanPackets } from '../../src/domain/source/frame-scan.ts';
import { admitContainer } from '../../src/domain/source/policy.ts';
import { sniff } from '../../src/domain/source/sniff.ts';
import { probeOf } from './probe-of.ts';

function drive(walk: (bytes: number) => ExtentsWalk, file: Buffer): Extents {
  const walking = walk(file.length);
  let step = walking.next();
  while (!step.done) step = walking.next(file.subarray(step.value.at, step.value.at + step.value.length));
  return step.value;
}

function reasonOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return (error as { reason?: string }).reason;
  }
}

function stsd(entry: string): Buffer {
  return makeBox('stsd', Buffer.alloc(8), makeBox(entry, Buffer.alloc(70)));
}
function mp4(entry: string, media: number): Buffer {
  return Buffer.concat([
    makeBox('ftyp', Buffer.from('isom\0\0\0\0')),
    makeBox('moov', makeBox('trak', makeBox('mdia', makeBox('minf', makeBox('stbl', stsd(entry)))))),
    makeBox('mdat', Buffer.alloc(media, 1)),
  ]);
}

function numbers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => bytes.writeUInt32BE(value, index * 4));
  return bytes;
}

/** An EBML element with a size of eight bytes. */
function element(id: string, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(BigInt(body.length) | (1n << 56n));
  return Buffer.concat([Buffer.from(id, 'hex'), size, body]);
}
const encryption = element('6d80', element('6240', element('5035', Buffer.alloc(4))));
function mkv(...trackParts: Uint8Array[]): Buffer {
  return Buffer.concat([
    element('1a45dfa3', Buffer.alloc(4)),
    element(
      '18538067',
      element('1654ae6b', element('ae', Buffer.from('d78101', 'hex'), ...trackParts)),
      element('1f43b675', element('a3', Buffer.alloc(64))),
    ),
  ]);
}

describe('walkMp4 and walkMatroska', () => {
  it('an mp4 file is whole, and incomplete where any byte of its media is cut off', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), fc.double({ min: 0, max: 0.999, noNaN: true }), (media, share) => {
        const file = mp4('avc1', media);
        expect(drive(walkMp4, file)).to.deep.equal({ whole: true, encrypted: false });
        expect(drive(walkMp4, file.subarray(0, Math.floor(file.length * share))).whole).to.equal(false);
      }),
    );
  });
  it('a Matroska file is whole, and incomplete where it is cut off at any byte', () => {
    const file = mkv();
    expect(drive(walkMatroska, file)).to.deep.equal({ whole: true, encrypted: false, encoded: false, endless: false });
    for (let length = 0; length < file.length; length++)
      expect(drive(walkMatroska, file.subarray(0, length)).whole).to.equal(false);
  });
  it('an mp4 file is damaged by garbage between its fragments, but not by zeros after the last one', () => {
    const fragment = Buffer.concat([
      makeBox('moof', makeBox('mfhd', Buffer.alloc(8))),
      makeBox('mdat', Buffer.alloc(40, 1)),
    ]);
    const start = Buffer.concat([mp4('avc1', 10), fragment]);
    const zeros = Buffer.alloc(24);
    for (const garbage of [zeros, Buffer.alloc(24, 0xff)])
      expect(drive(walkMp4, Buffer.concat([start, garbage, fragment]))).to.include({
        whole: false,
        damagedAt: start.length,
      });
    for (const good of [[fragment], [zeros], [fragment, zeros]])
      expect(drive(walkMp4, Buffer.concat([start, ...good])).whole).to.equal(true);
  });
  it('a Matroska file ends with its segment, whatever follows but another recording', () => {
    const tails = ['\r\n--boundary--\r\n and more', 'A text of some length', '\0'.repeat(20)].map((text) =>
      Buffer.from(text),
    );
    for (const tail of tails)
      expect(drive(walkMatroska, Buffer.concat([mkv(), tail]))).to.include({ whole: true, trailing: true });
    expect(drive(walkMatroska, Buffer.concat([mkv(), mkv()]))).to.include({ whole: false, appended: true });
  });
  it('an mp4 file is whole where bytes follow its boxes and every sample lies in the file', () => {
    const text = Buffer.from('\r\n------WebKitFormBoundary--\r\n');
    const withSample = (offset: number): Buffer => {
      const tables = [
        makeBox('stsz', numbers(0, 0, 1, 50)),
        makeBox('stsc', numbers(0, 1, 1, 1, 1)),
        makeBox('stco', numbers(0, 1, offset)),
      ];
      return Buffer.concat([makeBox('moov', makeBox('trak', ...tables)), makeBox('mdat', Buffer.alloc(60, 1)), text]);
    };
    const length = withSample(0).length;
    expect(drive(walkMp4, withSample(length - 50))).to.include({ whole: true, trailing: true });
    expect(drive(walkMp4, withSample(length - 49))).to.include({ whole: false });
  });
  it('an mp4 file is complete if its index holds bytes that are not boxes', () => {
    const index = makeBox('moov', makeBox('trak', Buffer.alloc(12)));
    const file = Buffer.concat([index, makeBox('mdat', Buffer.alloc(60, 1))]);
    expect(drive(walkMp4, file)).to.deep.equal({ whole: true, encrypted: false });
  });
  it('encrypted tracks are detected in mp4 and Matroska', () => {
    expect(drive(walkMp4, mp4('encv', 10)).encrypted).to.equal(true);
    expect(drive(walkMatroska, mkv(encryption)).encrypted).to.equal(true);
  });
  it('walking a file ends for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        drive(walkMp4, Buffer.from(bytes));
        drive(walkMatroska, Buffer.from(bytes));
      }),
    );
  });
});

describe('sniff and admitContainer', () => {
  const cases: readonly (readonly [what: string, head: Buffer, code: string])[] = [
    ['an empty file', Buffer.alloc(0), 'source_empty'],
    ['a web page', Buffer.from('  <HTML><body>'), 'source_not_video'],
    ['a text', Buffer.from('hello'), 'source_not_video'],
    ['a playlist', Buffer.from('#EXTM3U\n'), 'source_not_video'],
    ['a photograph', Buffer.from('ffd8ffe000104a46', 'hex'), 'source_not_video'],
    ['a photograph in boxes', makeBox('ftyp', Buffer.from('heic\0\0\0\0')), 'source_not_video'],
    ['an mp3', Buffer.from('ID3\x04\0\0\0\0'), 'source_no_video'],
    ['a wav', Buffer.from('RIFF\0\0\0\0WAVEfmt '), 'source_no_video'],
    ['an avi', Buffer.from('RIFF\0\0\0\0AVI LIST'), 'container_unsupported'],
    [
      'a transport stream',
      Buffer.alloc(752, 0).map((_byte, index) => (index % 188 === 0 ? 0x47 : 0)) as Buffer,
      'container_unsupported',
    ],
    ['a file of zeros', Buffer.alloc(4_096), 'source_not_video'],
    ['an mp4', mp4('avc1', 1), 'mov'],
    ['a Matroska file', mkv(), 'matroska'],
  ];
  for (const [what, head, code] of cases)
    it(`the first bytes of ${what} mean ${code}`, () =>
      expect(reasonOf(() => admitContainer(sniff(head)))).to.equal(code));
});

describe('readProbe and withFirstPictures', () => {
  it('a stored picture is turned upright for each of the eight display matrices', () => {
    const ways: readonly (readonly [a: number, b: number, c: number, d: number, turns: string])[] = [
      [1, 0, 0, 1, ''],
      [-1, 0, 0, 1, 'hflip'],
      [1, 0, 0, -1, 'vflip'],
      [-1, 0, 0, -1, 'hflip,vflip'],
      [0, 1, -1, 0, 'clock'],
      [0, -1, 1, 0, 'cclock'],
      [0, 1, 1, 0, 'cclock_flip'],
      [0, -1, -1, 0, 'clock_flip'],
    ];
    for (const [a, b, c, d, turns] of ways)
      expect(uprightOf([a, b, 0, c, d, 0, 0, 0, 1].map((value) => value * 65_536)).join()).to.equal(turns);
  });

  const streams = [
    { index: 0, codec_type: 'video', codec_name: 'mjpeg', disposition: { attached_pic: 1 } },
    { index: 1, codec_type: 'audio', codec_name: 'mp3', disposition: { default: 0 } },
    {
      index: 2,
      codec_type: 'video',
      codec_name: 'hevc',
      width: 64,
      height: 48,
      time_base: '1/90000',
      sample_aspect_ratio: '1281:1280',
    },
    { index: 3, codec_type: 'audio', codec_name: 'aac', disposition: { default: 1 }, tags: { language: 'deu' } },
  ];

  it('readProbe skips cover art and prefers default tracks', () => {
    const probe = readProbe(JSON.stringify({ streams, format: { duration: '2.5' } }), 'mov');
    expect(probe).to.deep.include({ streams: 3, audioStreams: 2, declaredDuration: 2.5 });
    expect(probe.video).to.include({ index: 2, codec: 'hevc', pixelAspect: 1, timescale: 90_000 });
    expect(probe.audio).to.include({ index: 3, language: 'deu' });
  });

  it('decoded pictures reveal interlacing and HDR that the header does not declare', () => {
    const { video } = probeOf();
    const json = JSON.stringify({ frames: [{ interlaced_frame: 1, color_transfer: 'smpte2084' }] });
    expect(withFirstPictures(video, json)?.video).to.include({ interlaced: true, transfer: 'smpte2084' });
    expect(withFirstPictures(video, '{"frames":[]}')).to.equal(undefined);
  });

  it('scanPackets reads packets in any order, without those that are never shown', () => {
    const sink = scanPackets({ video: 0, audio: 1 });
    for (const line of [
      '0,0.10,0.05,100,48,K_',
      '0,0.00,0.05,100,48,K__',
      '1,-0.02,0.02,100,48,K_',
      '0,0.05,0.05,100,48,__',
      '0,9.00,0.05,100,48,_D',
      '',
      '1,0.18,0.02,100,48,K_',
      '2,5,1,100,48,K_',
      '0,N/A,0.05,100,48,K_',
    ])
      sink.line(line);
    const { times, keys, end, audio } = sink.finish();
    expect([[...times], [...keys]]).to.deep.equal([
      [0, 0.05, 0.1],
      [0, 0.1],
    ]);
    expect(end).to.be.closeTo(0.15, 1e-9);
    expect(audio?.start).to.equal(-0.02);
    expect(audio?.end).to.be.closeTo(0.2, 1e-9);
  });
});
