/** Edits of no length, as the demuxer shows a file before and after it was repaired. */
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { repairSource } from '../../src/outbound/repair-source.ts';
import { makeFolder, removeFolder, shownAt } from '../clips.ts';
import { h264Ahead, renderClip } from '../corpus/generators/clip.ts';
import { setEdits } from '../corpus/generators/edit-lists.ts';
import { boxesOf, boxOf, readBoxes, trackOf, writeBoxes } from '../corpus/generators/mp4-boxes.ts';

const clip = { width: 64, height: 36, rate: '25', seconds: 2 };

const all = [{ from: 0, to: Infinity }];

describe('repairSource', function () {
  this.timeout(60_000);
  let folder: string;
  const at = (name: string): string => join(folder, name);
  const render = (name: string, ...file: readonly string[]): Promise<void> =>
    renderClip(at(name), clip, h264Ahead(), { mute: true, file });

  /** The clip with an edit of so many seconds from its first picture on. */
  const edited = async (name: string, seconds: number): Promise<void> => {
    const boxes = readBoxes(await readFile(at('whole.mp4')));
    setEdits(boxes, 'vide', [{ seconds, from: 0 }]);
    await writeFile(at(name), writeBoxes(boxes));
  };

  before(async () => {
    folder = await makeFolder();
    await render('whole.mp4');
  });
  after(() => removeFolder(folder));

  it('an edit of no length shows the rest of the media', async () => {
    await edited('open.mp4', 0);
    expect(await shownAt(at('open.mp4'))).to.deep.equal([]);
    await repairSource(at('open.mp4'), all);
    expect(await shownAt(at('open.mp4'))).to.deep.equal(await shownAt(at('whole.mp4')));
  });

  it('an edit of no length in a list of 64 bits shows the rest of the media', async () => {
    await edited('wide.mp4', 0);
    const boxes = readBoxes(await readFile(at('wide.mp4')));
    const list = boxOf([trackOf(boxes, 'vide')], 'elst');
    const from = BigInt(list.body.readInt32BE(12));
    list.body = Buffer.concat([Buffer.from([1, 0, 0, 0, 0, 0, 0, 1]), Buffer.alloc(16), list.body.subarray(16)]);
    list.body.writeBigInt64BE(from, 16);
    await writeFile(at('wide.mp4'), writeBoxes(boxes));
    await repairSource(at('wide.mp4'), all);
    expect(await shownAt(at('wide.mp4'))).to.have.lengthOf(50);
  });

  it("an edit of no length is found between QuickTime's four zero bytes and before bytes of no box", async () => {
    await edited('ended.mp4', 0);
    const boxes = readBoxes(await readFile(at('ended.mp4')));
    for (const type of ['edts', 'mdia', 'trak', 'moov'])
      for (const one of boxesOf(boxes, type)) one.tail = Buffer.alloc(4);
    await writeFile(at('ended.mp4'), Buffer.concat([writeBoxes(boxes), Buffer.alloc(64)]));
    await repairSource(at('ended.mp4'), all);
    expect(await shownAt(at('ended.mp4'))).to.have.lengthOf(50);
  });

  it('edits with a length, fragmented files and files of other kinds stay as they are', async () => {
    await edited('short.mp4', 1);
    await render('fragmented.mp4', '-movflags', 'frag_keyframe+empty_moov+default_base_moof');
    await render('other.mkv');
    await writeFile(at('tiny.mp4'), Buffer.from('00000008', 'hex'));
    for (const name of ['short.mp4', 'fragmented.mp4', 'other.mkv', 'tiny.mp4', 'whole.mp4']) {
      await copyFile(at(name), at('copy'));
      await repairSource(at('copy'), all);
      expect((await readFile(at('copy'))).equals(await readFile(at(name))), name).to.equal(true);
    }
  });
});
