/** What a stored ladder names, and which ladders cannot be read. */
import { expect } from 'chai';
import { notFound, type AppError } from '@vds/chassis/errors';
import { ladderDocument, type LadderDocument } from '@vds/proto/documents/ladder';
import { readLadderFiles } from '../src/outbound/ladder-files.ts';

const folder = 'videos/v/1/assemble.1-ab';
const rendition = { bandwidth: 1, averageBandwidth: 1, codecs: 'avc1.64001e', playlist: 'assemble.1-ab/v/index.m3u8' };
const rung = { name: '90p', width: 160, height: 90, frameRate: 25, ...rendition };
const ladder: LadderDocument = {
  version: 1,
  ...{ videoId: 'v', attempt: 1, durationMs: 6_000, frames: 150, rungs: [rung], audio: null },
  thumbnail: { path: 'whole.1-ab/thumbnail.jpg', width: 160, height: 90 },
  storyboard: { track: 'assemble.1-ab/storyboard.vtt', intervalSeconds: 2, tile: { width: 160, height: 90 } },
};
const whole: Readonly<Record<string, string>> = {
  'ladder.json': ladderDocument.write(ladder),
  'v/index.m3u8': '#EXTM3U\n#EXT-X-MAP:URI="init.mp4"\n#EXTINF:6,\nseg-00000.m4s\n',
  'storyboard.vtt': 'WEBVTT\n\n00:00.000 --> 00:06.000\n../whole.1-ab/storyboard-0.jpg#xywh=0,0,160,90\n',
};

/** Reads a ladder whose files, by their name in its folder, are the whole ones but for these. */
function read(changed: Readonly<Record<string, string | null>> = {}): Promise<readonly string[] | string> {
  const files: Readonly<Record<string, string | null>> = { ...whole, ...changed };
  const getBytes = async (key: string): Promise<Buffer> => {
    const text = files[key.slice(folder.length + 1)] ?? null;
    if (text === null) throw notFound(key);
    return Buffer.from(text);
  };
  return readLadderFiles({ getBytes }, `${folder}/ladder.json`).then(
    ({ keys }) => keys,
    ({ code }: AppError) => code,
  );
}

describe('the files of a ladder', () => {
  it('the files of a ladder are itself, the stills, the playlists and everything that they name', async () => {
    expect(await read()).to.have.members([
      ...['ladder.json', 'storyboard.vtt', 'v/index.m3u8', 'v/init.mp4', 'v/seg-00000.m4s'].map(
        (name) => `${folder}/${name}`,
      ),
      ...['thumbnail.jpg', 'storyboard-0.jpg'].map((name) => `videos/v/1/whole.1-ab/${name}`),
    ]);
  });

  it('the files of a ladder are not known while a document is missing, or cannot be read, which are two things', async () => {
    for (const name of Object.keys(whole)) expect(await read({ [name]: null }), name).to.equal('NOT_FOUND');
    for (const [name, text] of [
      ['ladder.json', '{"version":1'],
      ['ladder.json', JSON.stringify({ ...ladder, version: 2 })],
      ['ladder.json', JSON.stringify({ ...ladder, videoId: 'other' })],
      ['v/index.m3u8', 'a playlist of another kind'],
      ['storyboard.vtt', 'WEBVTT\n\nhttp://[#xywh=0,0,160,90\n'],
    ] as const)
      expect(await read({ [name]: text }), text).to.equal('INVALID_ARGUMENT');
  });
});
