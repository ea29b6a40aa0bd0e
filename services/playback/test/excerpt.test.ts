/** Tokens of an excerpt: what their playlists have, what they open, and what they do not. */
import { ladderDocument } from '@vds/proto/documents/ladder';
import { testBucket, type TestBucket } from '@vds/testkit/harness/objects';
import { runs } from '@vds/testkit/counts';
import { expect } from 'chai';
import fc from 'fast-check';
import { cutPlaylist } from '../src/domain/excerpt.ts';
import { captionTrack } from './caption-files.ts';
import { newFakeState, newSigner, servePeers, sign, type Signer } from './fake-services.ts';
import { ladderOf } from './ladder-document.ts';
import { readyVideo, startPlayback, type Playback } from './playback.ts';

const ID = 'pbk1abcdefghijklmnopqrstuvw';
const SEGMENTS = 20;
/** From 45.5 s to 61 s: segments 7 to 10, which begin at 42 s. */
const EXCERPT = '45500-61000';

function excerpt(range: string): { readonly sub: string } {
  return { sub: `${ID}@${range}` };
}

function playlist(
  count: number,
  secondsOf: (index: number) => number,
  uri: (index: number) => string,
  head = '',
): string {
  const segments = Array.from(
    { length: count },
    (_, index) => `#EXTINF:${secondsOf(index).toFixed(6)},\n${uri(index)}\n`,
  );
  return `#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:30\n#EXT-X-MEDIA-SEQUENCE:0\n#EXT-X-PLAYLIST-TYPE:VOD\n${head}${segments.join('')}#EXT-X-ENDLIST\n`;
}
function segment(folder: string, index: number): string {
  return `piece-${Math.floor(index / 10)}.1/${folder}/seg-${String(index % 10).padStart(5, '0')}.m4s`;
}

/** Two minutes of pictures, sound whose segments end a few milliseconds earlier, and captions of 30 s each. */
async function putLongVideo(media: TestBucket, captions: TestBucket, videoId: string): Promise<void> {
  const put = (path: string, body: string, bucket = media): Promise<unknown> =>
    bucket.client.putObject(bucket.bucket, `videos/${videoId}/1/${path}`, body);
  const ladder = ladderOf(videoId);
  const rungs = ladder.rungs.map((rung) => ({
    ...rung,
    pictures: { bandwidth: 90_000, playlist: rung.playlist.replace('index', 'pictures') },
  }));
  // Ends after 30 s.
  const alternates = [{ ...ladder.audio, title: 'Radio', playlist: 'alternate-0.1/a0/index.m3u8' }];
  const original = {
    ...{ ...ladder.rungs[0]!, name: 'original', codecs: 'hvc1.1.6.L120.90', playlist: 'original.1/index.m3u8' },
    ...{ range: 'SDR' as const, independent: true },
  };
  await put('assemble.1/ladder.json', ladderDocument.write({ ...ladder, rungs, original, alternates }));
  const map = (path: string): string => `#EXT-X-MAP:URI="${path}"\n`;
  for (const rung of ['720p', '1080p']) {
    const at = (index: number): string => `../../../${segment(`v/${rung}`, index)}`;
    const head = map(`../../../piece-0.1/v/${rung}/init.mp4`);
    await put(
      `assemble.1/v/${rung}/index.m3u8`,
      playlist(SEGMENTS, () => 6, at, head),
    );
    const picture = (index: number): string => `#EXT-X-BYTERANGE:90@${(index % 3) * 100}\n${at(Math.floor(index / 3))}`;
    const pictures = playlist(SEGMENTS * 3, () => 2, picture, `#EXT-X-I-FRAMES-ONLY\n${head}`);
    await put(`assemble.1/v/${rung}/pictures.m3u8`, pictures);
    await put(`piece-0.1/v/${rung}/init.mp4`, 'init');
    for (let index = 0; index < SEGMENTS; index += 1) await put(segment(`v/${rung}`, index), `pictures ${index}`);
  }
  const sound = (index: number): string => `../../${segment('a', index)}`;
  await put(
    'audio.1/a/index.m3u8',
    playlist(SEGMENTS, (index) => (index === 0 ? 5.99 : 6), sound, map('init.mp4')),
  );
  await put('audio.1/a/init.mp4', 'init');
  for (let index = 0; index < SEGMENTS; index += 1) await put(segment('a', index), `sound ${index}`);
  await put(
    'original.1/index.m3u8',
    playlist(
      SEGMENTS,
      () => 6,
      (index) => segment('v/720p', index),
    ),
  );
  await put(
    'alternate-0.1/a0/index.m3u8',
    playlist(
      5,
      () => 6,
      (index) => `seg-0000${index}.m4s`,
    ),
  );
  await put('assemble.1/storyboard.vtt', 'WEBVTT\n');
  const track = (path: string, body: string): Promise<unknown> => put(`translate-en.1/${path}`, body, captions);
  await track(
    'index.m3u8',
    playlist(
      4,
      () => 30,
      (index) => `seg-0000${index}.vtt`,
    ),
  );
  for (let index = 0; index < 4; index += 1) await track(`seg-0000${index}.vtt`, `WEBVTT\n\ncues ${index}\n`);
  await track('captions.vtt', 'WEBVTT\n\nall of it\n');
}

describe('a token of an excerpt', () => {
  const state = newFakeState();
  let media: TestBucket;
  let captions: TestBucket;
  let peers: Awaited<ReturnType<typeof servePeers>>;
  let playback: Playback;
  let signer: Signer;
  let [under, whole] = ['', ''];

  before(async () => {
    [media, captions] = await Promise.all([testBucket(), testBucket()]);
    await putLongVideo(media, captions, 'v1');
    signer = await newSigner('k1');
    state.keys = [signer.jwk];
    peers = await servePeers(state);
    playback = await startPlayback(peers.port, media, { captionsBucket: captions.bucket, freshMs: 100 });
    [under, whole] = await Promise.all([pathOf(excerpt(EXCERPT)), pathOf({})]);
  });
  beforeEach(() => void state.videos.set(ID, { ...readyVideo('v1'), tracks: [captionTrack('v1', 'en')] }));
  after(async () => {
    await playback?.close();
    await peers?.close();
    await Promise.all([media?.drop(), captions?.drop()]);
  });

  const pathOf = async (claims: Record<string, unknown>): Promise<string> =>
    `/p/${await sign(signer, ID, claims)}/${ID}`;
  const textOf = async (path: string, below = under): Promise<string> => {
    const response = await playback.get(`${below}/${path}`);
    expect(response.status, path).to.equal(200);
    return response.text();
  };
  const statusOf = async (path: string, below = under): Promise<number> =>
    (await playback.get(`${below}/${path}`)).status;
  const addresses = (text: string): string[] => text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));

  it('the master playlist of an excerpt has the rungs, the sound and the captions, and not the partner’s own pictures', async () => {
    const text = await textOf('master.m3u8');
    expect(addresses(text)).to.deep.equal(['assemble.1/v/720p/index.m3u8', 'assemble.1/v/1080p/index.m3u8']);
    expect(text).to.include('audio.1/a/index.m3u8').and.include('c/en/index.m3u8').and.include('I-FRAME-STREAM-INF');
    expect(text).to.not.include('Radio');
    expect(await textOf('master.m3u8', await pathOf(excerpt('1000-9000')))).to.include('Radio');
    expect(await textOf('master.m3u8', whole)).to.include('original.1/index.m3u8');
  });

  it('the playlists of an excerpt have the segments that overlap it, with the wanted second as the precise start', async () => {
    const pictures = await textOf('assemble.1/v/1080p/index.m3u8');
    expect(addresses(pictures).map((one) => one.slice(-24))).to.deep.equal(
      [7, 8, 9, 10].map((index) => segment('v/1080p', index).slice(-24)),
    );
    expect(pictures)
      .to.match(/#EXT-X-START:TIME-OFFSET=3\.500,PRECISE=YES\n/)
      .and.match(/#EXT-X-ENDLIST\n$/);
    expect(pictures).to.include('#EXT-X-PROGRAM-DATE-TIME:1970-01-01T00:00:42.000Z');
    const sound = await textOf('audio.1/a/index.m3u8');
    expect(addresses(sound)).to.deep.equal([7, 8, 9, 10].map((index) => `../../${segment('a', index)}`));
    expect(sound).to.include('TIME-OFFSET=3.510,').and.include('1970-01-01T00:00:41.990Z');
    const seek = await textOf('assemble.1/v/720p/pictures.m3u8');
    expect(addresses(seek)).to.have.length(12);
    expect(seek).to.include('BYTERANGE').and.not.include('EXT-X-START');
  });

  it('the captions of an excerpt are as long as what is played of them, so that each is found at its moment', async () => {
    const text = await textOf('c/en/index.m3u8');
    expect(text.match(/#EXTINF:.*\n.*\n/g)).to.deep.equal([
      '#EXTINF:18.000000,\nseg-00001.vtt\n',
      '#EXTINF:6.000000,\nseg-00002.vtt\n',
    ]);
    expect(await textOf('c/en/seg-00001.vtt')).to.include('cues 1');
  });

  it('a token of an excerpt opens its own segments and nothing else of the video, whatever a viewer writes into an address', async () => {
    for (const index of [7, 8, 9, 10])
      for (const folder of ['v/720p', 'v/1080p', 'a']) expect(await statusOf(segment(folder, index))).to.equal(200);
    expect(await statusOf('piece-0.1/v/720p/init.mp4')).to.equal(200);
    const others = [0, 6, 11, 19].flatMap((index) =>
      ['v/720p', 'v/1080p', 'a'].map((folder) => segment(folder, index)),
    );
    for (const path of [
      ...others,
      ...['c/en/seg-00000.vtt', 'c/en/seg-00003.vtt', 'c/en/captions.vtt', 'original.1/index.m3u8'],
      ...['storyboard.vtt', 'assemble.1/storyboard.vtt', '@45500-61000/piece-0.1/v/720p/seg-00000.m4s'],
    ]) {
      expect(await statusOf(path), path).to.equal(404);
      if (others.includes(path)) expect(await statusOf(path, whole), path).to.equal(200);
    }
    expect(await textOf('assemble.1/v/720p/index.m3u8', whole)).to.have.length.above(1_000);
    expect(await textOf('assemble.1/v/720p/index.m3u8')).to.have.length.below(1_000);
  });

  it('a token with a malformed excerpt is refused, and one beyond the end of its video finds nothing beyond the end', async () => {
    for (const range of ['', '1', '0-x', '-1-5', '0-5000-9', '0-9999999999999999'])
      expect(await statusOf('master.m3u8', await pathOf(excerpt(range))), range).to.equal(403);
    expect(await statusOf('master.m3u8', await pathOf(excerpt('130000-140000')))).to.equal(404);
  });

  it('an excerpt closes with its video: deleted, held and archived once its time is over', async () => {
    const states = ['VIDEO_STATE_DELETED', 'VIDEO_STATE_PROCESSING', 'VIDEO_STATE_ARCHIVED'] as const;
    for (const [index, name] of states.entries()) {
      state.videos.set(ID, { ...readyVideo('v1', index + 2), state: name });
      playback.drop('v1', index + 2);
      for (const path of ['master.m3u8', 'assemble.1/v/720p/index.m3u8', segment('v/720p', 7)])
        expect(await statusOf(path), `${name} ${path}`).to.equal(404);
    }
    state.videos.set(ID, { ...readyVideo('v1', 9), state: 'VIDEO_STATE_READY' });
    playback.drop('v1', 9);
    expect(await statusOf('master.m3u8')).to.equal(200);
  });

  it('the gate tells an excerpt apart, so that no cache mixes its files with those of the whole video', async () => {
    const gate = async (below: string): Promise<string | null> => {
      const token = below.split('/')[2];
      const { status, headers } = await playback.get(`/gate/${ID}`, { headers: { authorization: `Bearer ${token}` } });
      expect(status).to.equal(204);
      return headers.get('x-vds-media');
    };
    const [part, all] = [await gate(under), await gate(whole)];
    expect([part, all]).to.deep.equal(['videos/v1/1/@45500-61000/', 'videos/v1/1/']);
    const kept = async (below: string, edge: string): Promise<string | null> =>
      (await playback.get(`${below}/${segment('a', 8)}`, { headers: { 'x-vds-edge': edge } })).headers.get(
        'x-accel-expires',
      );
    expect(await kept(under, part ?? '')).to.equal('86400');
    expect(await kept(under, all ?? '')).to.equal('0');
    expect(await kept(whole, part ?? '')).to.equal('0');
  });
});

describe('cutting a playlist', () => {
  it('a cut playlist covers the excerpt with the fewest segments, whatever their lengths', () => {
    const lengths = fc.array(fc.integer({ min: 500, max: 12_000 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(lengths, fc.nat(300_000), fc.integer({ min: 1_000, max: 60_000 }), (all, startMs, lastsMs) => {
        const text = playlist(all.length, (index) => all[index]! / 1_000, String);
        const cut = cutPlaylist(text, { startMs, endMs: startMs + lastsMs });
        const total = all.reduce((sum, one) => sum + one, 0);
        if (!cut) return void expect(startMs).to.be.above(total - 251);
        const offset = Number(/TIME-OFFSET=([\d.]+)/.exec(cut.text)?.[1]);
        const uris = cut.uris.map(Number);
        const from = all.slice(0, uris[0]).reduce((sum, one) => sum + one, 0);
        expect(uris).to.deep.equal(uris.map((_, index) => uris[0]! + index));
        // The first picture is that of the wanted time, or at most a tenth of a second after it.
        expect(from + offset * 1_000 - startMs).to.be.within(-1, 101);
        expect(offset * 1_000).to.be.below(all[uris[0]!]! + 1);
        expect(cut.range.to * 1_000).to.be.at.least(Math.min(startMs + lastsMs, total) - 251);
        return undefined;
      }),
      { numRuns: runs(200) },
    );
  });
});
