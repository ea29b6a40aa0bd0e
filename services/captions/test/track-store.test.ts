/** Tracks as documents in the bucket. */
import { expect } from 'chai';
import { AppError } from '@vds/chassis/errors';
import type { Objects } from '@vds/chassis/objects/objects';
import { MAX_SENTENCE } from '@vds/proto/documents/track';
import { filesOfTrack, loadTrack, storeTrack } from '../src/outbound/track-store.ts';

const cues = [{ startMs: 0, endMs: 900 }];
const videoId = 'v';
const bare = { language: 'en', kind: 'captions' } as const;

/** A bucket in memory. */
function bucketOf(kept: Map<string, Buffer>): Objects {
  const putBytes: Objects['putBytes'] = async (key, body) => void kept.set(key, Buffer.from(body));
  const getBytes: Objects['getBytes'] = async (key) => kept.get(key) ?? Buffer.alloc(0);
  return { putBytes, getBytes } as Objects;
}

describe('track documents', () => {
  const kept = new Map<string, Buffer>();
  const bucket = bucketOf(kept);
  const store = (text: string) =>
    storeTrack(bucket, { videoId, attempt: 1, name: 'render-0', fence: 1, signal: new AbortController().signal }, [], {
      ...bare,
      sentences: [{ startMs: 0, endMs: 900, text, cues }],
    });

  it('a track document is returned by the bucket as stored', async () => {
    const { textKey } = await store('What a "save"…');
    const sentences = [{ startMs: 0, endMs: 900, text: 'What a "save"…', cues }];
    expect(await loadTrack(bucket, textKey)).to.deep.equal({ version: 1, videoId, ...bare, sentences });
  });

  it('a stored sentence is cut to the length that readers accept, never within a character', async () => {
    const { textKey } = await store(`${'x'.repeat(MAX_SENTENCE - 1)}😀`);
    const [sentence] = (await loadTrack(bucket, textKey)).sentences;
    expect(sentence?.text).to.equal(`${'x'.repeat(MAX_SENTENCE - 1)}\ufffd`);
  });

  it('a damaged track document is rejected permanently', async () => {
    kept.set('videos/v/1/bad/track.json', Buffer.from('{"version":1'));
    const error: unknown = await loadTrack(bucket, 'videos/v/1/bad/track.json').catch((cause: unknown) => cause);
    expect(error).to.be.instanceOf(AppError);
    expect(error).to.include({
      code: 'INVALID_ARGUMENT',
      message: 'invalid track.json: it must be JSON (videos/v/1/bad/track.json)',
    });
  });

  it('the files of a track are those that its playlist lists, and its document', async () => {
    const folder = 'videos/v/1/render-0.1-ab';
    kept.set(`${folder}/index.m3u8`, Buffer.from('#EXTM3U\n#EXTINF:30,\nseg-00000.vtt\n#EXT-X-ENDLIST\n'));
    const files = ['index.m3u8', 'seg-00000.vtt'].map((name) => `${folder}/${name}`);
    expect(await filesOfTrack(bucket, `${folder}/index.m3u8`)).to.deep.equal(files);
    const { textKey } = await store('Goal.');
    expect(await filesOfTrack(bucket, textKey)).to.deep.equal([textKey]);
  });

  it('a track of a later version is reported as unreadable, not as a missing file', async () => {
    for (const [name, text] of [
      ['track.json', '{"version":2}'],
      ['index.m3u8', 'a playlist of another kind'],
      ['index.m3u8', '#EXTM3U\n#EXTINF:30,\n../elsewhere.vtt\n'],
    ] as const) {
      kept.set(`videos/v/1/later.1-ab/${name}`, Buffer.from(text));
      const files = filesOfTrack(bucket, `videos/v/1/later.1-ab/${name}`);
      expect(await files.catch(({ code }: AppError) => code), text).to.equal('INVALID_ARGUMENT');
    }
  });
});
