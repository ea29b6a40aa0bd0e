/** The colours that an init segment declares, compared with those of its frames. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { coloursOf } from '../../src/domain/cmaf/colours.ts';
import { fastH264, ffmpeg, makeFolder, picture, removeFolder } from '../clips.ts';

describe('coloursOf', function () {
  this.timeout(30_000);
  let folder: string;
  before(async () => {
    folder = await makeFolder();
  });
  after(() => removeFolder(folder));

  // As a filter: from 7.0 on ffmpeg declares what the frames say, whatever the encoder's options are.
  const named = (range: string, space: string, primaries: string, transfer: string, before = ''): string[] => {
    const parameters = `range=${range}:colorspace=${space}:color_primaries=${primaries}:color_trc=${transfer}`;
    return ['-vf', `${before}setparams=${parameters}`];
  };
  const cases: readonly (readonly [name: string, args: readonly string[], ...expected: unknown[]])[] = [
    ['BT.709 of limited range', named('tv', 'bt709', 'bt709', 'bt709'), false, 1, 1, 1],
    ['BT.709 of full range', named('pc', 'bt709', 'bt709', 'bt709'), true, 1, 1, 1],
    ['BT.601', named('tv', 'smpte170m', 'smpte170m', 'smpte170m'), false, 6, 6, 6],
    ['BT.2020', named('tv', 'bt2020nc', 'bt2020', 'smpte2084'), false, 9, 16, 9],
    ['a stream that declares none', [], false, 2, 2, 2],
    ['a picture of unusual shape', named('tv', 'bt709', 'bt709', 'bt709', 'setsar=37/31,'), false, 1, 1, 1],
    ['an odd size', named('pc', 'bt709', 'bt709', 'bt709', 'crop=98:66,'), true, 1, 1, 1],
    [
      'the main profile',
      ['-profile:v', 'main', '-preset', 'medium', ...named('tv', 'bt709', 'bt709', 'bt709')],
      false,
      1,
      1,
      1,
    ],
  ];
  for (const [name, args, fullRange, primaries, transfer, matrix] of cases)
    it(`the colours of a rendition are read from its parameter set: ${name}`, async () => {
      const path = join(folder, 'colours.mp4');
      await ffmpeg(...picture('128x96', 25, 0.2), ...fastH264, ...args, path);
      expect(coloursOf(await readFile(path))).to.deep.equal({ fullRange, primaries, transfer, matrix });
    });
});
