/** The partner's own pictures in HEVC and AV1, beside the ladder: the same pictures at the same times, as declared. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { ffmpeg, picture, pictureHashes, probe, shownAt } from './clips.ts';
import { addToEntry, dolbyVision } from './corpus/generators/sample-entry.ts';
import { usualOf, type Row } from './long-runs.ts';
import { sharedWorker } from './encode-and-download.ts';

const SECONDS = 8;
const hdr10 = 'colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc';
const hlg = 'colorprim=bt2020:transfer=arib-std-b67:colormatrix=bt2020nc';

function hevc(params = '', format = 'yuv420p'): string[] {
  const x265 = `log-level=error:keyint=50:min-keyint=25:${params}`;
  return ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', x265, '-pix_fmt', format];
}
const av1 = [
  '-c:v',
  'libaom-av1',
  '-usage',
  'realtime',
  '-cpu-used',
  '8',
  '-g',
  '50',
  '-b:v',
  '300k',
  '-pix_fmt',
  'yuv420p',
];

type Original = Row & {
  readonly file: string;
  readonly codecs: RegExp;
  readonly range: string;
  readonly size?: string;
  readonly coder: readonly string[];
};
const usual = true;

describe('the original beside the ladder', function () {
  this.timeout(180_000);
  const { at, encode } = sharedWorker();

  const make = async (file: string, size: string, ...coder: readonly string[]) => {
    await ffmpeg(...picture(size, 25, SECONDS), ...coder, at(file));
    return encode(file, 120_000);
  };

  const originals: readonly Original[] = [
    { file: 'main.mp4', codecs: /^hvc1\.1\.6\.[LH]\d+(?:\.[0-9A-F]{1,2})*$/, range: 'SDR', coder: hevc() },
    { file: 'closed-groups.mp4', codecs: /^hvc1\.1\.6\.L\d+/, range: 'SDR', coder: hevc('open-gop=0') },
    {
      file: 'open-groups.mkv',
      codecs: /^hvc1\.1\.6\.L\d+/,
      range: 'SDR',
      coder: hevc('open-gop=1:bframes=4:b-pyramid=1'),
      usual,
    },
    { file: 'hdr10.mp4', codecs: /^hvc1\.2\.4\.L\d+/, range: 'PQ', coder: hevc(hdr10, 'yuv420p10le'), usual },
    { file: 'hlg.mp4', codecs: /^hvc1\.2\.4\.L\d+/, range: 'HLG', coder: hevc(hlg, 'yuv420p10le') },
    { file: 'large.mp4', codecs: /^hvc1\.1\.6\.L\d+/, range: 'SDR', size: '1480x1100', coder: hevc() },
    { file: 'av1.mp4', codecs: /^av01\.0\.\d\dM\.08$/, range: 'SDR', coder: av1, usual },
    { file: 'av1.webm', codecs: /^av01\.0\.\d\dM\.08$/, range: 'SDR', coder: av1 },
  ];
  for (const { file, codecs, range, coder, size = '320x180' } of usualOf(originals))
    it(`the source's own pictures are a variant, picture for picture, as declared: ${file}`, async () => {
      const { ladder, folder: output, warnings } = await make(file, size, ...coder);
      const { original } = ladder;
      if (!original) expect.fail('there is no original');
      expect(original.codecs).to.match(codecs);
      expect(original.range).to.equal(range);
      expect(`${original.width}x${original.height}`).to.equal(size);
      for (const code of ['high_dynamic_range', 'resolution_reduced']) expect(warnings).not.to.include(code);
      const playlist = join(output, original.playlist);
      // Pictures behind a key picture of an open group may refer to those before it.
      const isClosed = !/bframes=4/.test(coder.join(' '));
      const says = (await readFile(playlist, 'utf8')).includes('#EXT-X-INDEPENDENT-SEGMENTS');
      if (!isClosed) expect([original.independent, says]).to.deep.equal([false, false]);
      if (file === 'closed-groups.mp4' || file.startsWith('av1'))
        expect([original.independent, says]).to.deep.equal([true, true]);
      const source = at(file);
      expect(await pictureHashes(playlist)).to.deep.equal(await pictureHashes(source));
      const [made, wanted, ladderTimes] = await Promise.all(
        [playlist, source, join(output, ladder.rungs[0]?.playlist ?? '')].map((path) => shownAt(path)),
      );
      const zero = wanted?.[0] ?? 0;
      expect(made).to.have.length(wanted?.length ?? 0);
      for (const [index, time] of (made ?? []).entries()) {
        expect(time).to.be.closeTo((wanted?.[index] ?? 0) - zero, 0.002);
        expect(time).to.be.closeTo(ladderTimes?.[index] ?? 0, 0.002);
      }
      const declared = await probe('-show_entries', 'stream=codec_tag_string,level', '-of', 'csv=p=0', playlist);
      expect(declared).to.include(codecs.source.includes('hvc1') ? 'hvc1' : 'av01');
      const level = /L(\d+)/.exec(original.codecs)?.[1];
      if (level !== undefined) expect(declared).to.include(level);
    });

  for (const [compatibility, range, colours, codecs] of [
    [1, 'PQ', hdr10, 'dvh1.08.01/db1p'],
    [4, 'HLG', hlg, 'dvh1.08.01/db4h'],
  ] as const)
    it(`Dolby Vision 8.${compatibility} is declared where the copy has its record, beside the base layer`, async () => {
      const [plain, file] = [`base-${compatibility}.mp4`, `layered-${compatibility}.mp4`];
      await ffmpeg(...picture('160x90', 25, 2), ...hevc(colours, 'yuv420p10le'), '-tag:v', 'hvc1', at(plain));
      await addToEntry(at(plain), at(file), dolbyVision(8, compatibility));
      const { ladder, folder: output } = await encode(file, 120_000);
      expect(ladder.original).to.include({ range, supplementalCodecs: codecs });
      expect(ladder.original?.codecs).to.match(/^hvc1\.2\.4\./);
      const playlist = join(output, ladder.original?.playlist ?? '');
      const shown = await probe('-show_entries', 'stream_side_data=dv_profile,dv_bl_signal_compatibility_id', playlist);
      expect(shown).to.include('dv_profile=8').and.include(`dv_bl_signal_compatibility_id=${compatibility}`);
      expect(await pictureHashes(playlist)).to.deep.equal(await pictureHashes(at(file)));
      const bare = (await encode(plain, 120_000)).ladder.original;
      expect(bare?.range).to.equal(range);
      expect(bare).not.to.have.property('supplementalCodecs');
    });

  it('long groups, interlaced and turned pictures, and H.264 have no original', async () => {
    for (const [file, coder] of [
      [
        'long-groups.mp4',
        ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=error:keyint=500:no-scenecut=1'],
      ],
      ['h264.mp4', ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']],
      ['four-four-four.mp4', hevc('', 'yuv444p')],
    ] as const)
      expect((await make(file, '160x90', ...coder)).ladder.original, file).to.equal(undefined);
  });
});
