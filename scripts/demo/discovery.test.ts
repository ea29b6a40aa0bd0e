import type { HitOut } from '@vds/proto/generated/vds/indexer/v1/Hit.ts';
import type { ItemOut } from '@vds/proto/generated/vds/indexer/v1/Item.ts';
import { AppError } from '@vds/chassis/errors';
import { expect } from 'chai';
import type { Discovery } from './discovery.ts';
import { startPageServer, type PageServer } from './page-server.ts';
import { checkTracks, findInFeed, findSimilar, findWord, settledTracks, type Word } from './check-discovery.ts';
import type { MetadataOut } from '@vds/proto/generated/vds/metadata/v1/Metadata.ts';
import { PartnerError, type CaptionRow, type StatusRecord } from '@vds/testkit/stack/partner';

const ID = '01jd3m8q0c7e5b9x2k4n6p8rst';
const item: ItemOut = {
  videoId: ID,
  publisherId: 'pub_1',
  title: '<img src=x onerror=alert(1)>',
  tags: [],
  sport: 'soccer',
  languageCode: 'en',
  durationMs: 25_000,
  playbackId: 'p1',
  thumbnailUrl: 'https://partner.test/thumb.jpg',
  publishedAt: '2030-01-01T00:00:00.000Z',
  topics: [],
  captionLanguages: ['en', 'pt-BR'],
};
const metadata: MetadataOut = {
  videoId: ID,
  attempt: 1,
  revision: 1,
  scenes: [{ startMs: 0, endMs: 25_000, thumbnailMs: 4_000 }],
  shots: [],
  intervals: [],
  screenTexts: [],
  topics: [],
  labels: [],
  hasTranscript: true,
  chapters: [],
  keyMoments: [],
  passages: [],
  embeddingModel: '',
};
const hit: HitOut = {
  item,
  score: 1,
  snippets: [{ field: 'transcript', language: 'en', text: 'the goalkeeper saves', marks: [], atMs: 4_200 }],
};
const record: StatusRecord = {
  id: `vid_${ID}`,
  status: 'ready',
  is_available: true,
  title: 'A title',
  summary: null,
  tags: [],
  thumbnail_url: null,
  playback: null,
  created_at: '2030-01-01T00:00:00.000Z',
};

const QUICK = { everyMs: 1, capMs: 300 };

/** The line that a check reports, or its error. */
async function outcome(check: Promise<string>): Promise<string> {
  return await check.catch((error: Error) => error.message);
}

/** A fake discovery that finds one video and records its queries. */
function oneVideo(queries: unknown[] = []): Discovery {
  return {
    search: async (query) => {
      queries.push(query);
      if (query.cursor === 'forged') throw new AppError('INVALID_ARGUMENT', 'the cursor is not one of ours');
      if (query.query === 'down') throw new AppError('UNAVAILABLE', 'no index');
      return { hits: query.query === 'goalkeeper' ? [hit] : [], nextCursor: 'next', total: 1 };
    },
    feed: async (query) => {
      queries.push(query);
      return { items: query.sport === 'tennis' ? [] : [item], nextCursor: '' };
    },
    similar: async (videoId) => {
      queries.push(videoId);
      return { items: [item], reasons: [], nextCursor: '' };
    },
    close: async () => {},
  };
}

describe('the server of the discovery page', () => {
  let server: PageServer;
  const queries: unknown[] = [];
  const records: (string | undefined)[] = [];
  const logged: string[] = [];

  before(async () => {
    server = await startPageServer({
      record: async (id) => {
        records.push(id);
        if (id?.startsWith('1') === true)
          throw new PartnerError(
            'GET /v1/videos/x',
            404,
            '{"error":{"message":"There is no such video.","request_id":"req_7"}}',
          );
        return record;
      },
      token: async () => 'token',
      playbackUrl: 'https://play.test',
      discovery: oneVideo(queries),
      details: { read: async () => ({ stages: [], metadata }) },
      onError: (line) => logged.push(line),
    });
  });
  after(() => server.close());
  beforeEach(() => {
    queries.splice(0);
    records.splice(0);
  });

  const get = async (path: string) => {
    const response = await fetch(`${server.url}${path}`);
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };

  it('the page server serves the discovery page, which loads and runs nothing of other hosts', async () => {
    for (const path of ['discover.html', 'discover.js', 'style.css', 'results.js', 'api.js', 'dom.js']) {
      const response = await fetch(`${server.url}${path}`);
      expect(response.status, path).to.equal(200);
      expect(response.headers.get('content-security-policy')).to.match(/script-src 'self';.*frame-ancestors 'none'/);
      expect(await response.text(), path).not.to.match(/innerHTML|https?:\/\/(?!www\.w3\.org)/);
    }
  });

  it('the page server’s search returns hits with their seconds and our own picture', async () => {
    const { body } = await get('api/search?q=goalkeeper&sport=soccer&cursor=abc');
    expect(queries).to.deep.equal([{ query: 'goalkeeper', sport: 'soccer', cursor: 'abc' }]);
    expect(body).to.have.nested.property('hits[0].snippets[0].at_ms', 4_200);
    expect(body).to.deep.include({ next_cursor: 'next', total: 1 });
    expect(body).to.have.nested.property('hits[0].item.picture', 'https://play.test/t/p1.jpg');
  });

  it('the page server returns the feed and similar videos', async () => {
    expect((await get('api/feed')).body).to.have.nested.property('items[0].video_id', ID);
    expect((await get(`api/similar?video=vid_${ID}`)).body).to.have.nested.property('items[0].video_id', ID);
    expect(queries).to.deep.equal([{}, ID]);
  });

  it('the page server returns the record of the requested video, or of its own', async () => {
    await get(`api/video?video=${ID}`);
    await get('api/video');
    expect(records).to.deep.equal([ID, undefined]);
  });

  for (const path of [
    'api/video?video=../../etc/passwd',
    'api/details?video=x',
    'api/stream?video=x',
    'api/similar',
    `api/search?q=${'x'.repeat(8_193)}`,
    'api/search?q=a&q=b',
    'api/search?q[a]=b&sport=x&sport=y',
    'api/search?q=a&cursor=forged',
  ]) {
    it(`the page server rejects ${path.slice(0, 40)} with 400 and a sentence`, async () => {
      const { status, body } = await get(path);
      expect(status).to.equal(400);
      expect(body).to.have.nested.property('error.message').that.is.a('string');
    });
  }

  it('the page server returns 502 when the stack fails, with an id that its log has too', async () => {
    const { status, body } = await get('api/search?q=down');
    expect(status).to.equal(502);
    const { message, request_id: id } = body['error'] as Record<string, string>;
    expect(message).to.equal('no index');
    expect(logged.at(-1)).to.include(id).and.include('no index');
  });

  it('the page server returns the gateway’s sentence and request id', async () => {
    const { status, body } = await get(`api/video?video=${ID.replace('0', '1')}`);
    expect(status).to.equal(404);
    expect(body).to.deep.equal({ error: { message: 'There is no such video.', request_id: 'req_7' } });
  });

  it('the page server returns stages and metadata with the field names of the partner’s interface', async () => {
    expect((await get(`api/details?video=vid_${ID}`)).body).to.have.nested.property('metadata.scenes[0].start_ms', 0);
  });

  it('search and feed are narrowed by sport and category', async () => {
    await get('api/feed?sport=tennis&category=sports');
    await get('api/search?q=ace&category=music');
    expect(queries).to.deep.equal([
      { sport: 'tennis', category: 'sports' },
      { query: 'ace', category: 'music' },
    ]);
  });
});

describe('finding the demo’s video', () => {
  const word: Word = { word: 'goalkeeper', where: 'transcript', fromMs: 3_000, toMs: 9_000 };
  const skipped: CaptionRow = { language: 'de', kind: 'subtitles', status: 'skipped', reason: 'no_path' };
  const tracks = (ready: number, others: readonly CaptionRow[]): readonly CaptionRow[] => [
    ...Array.from({ length: ready }, (_, n) => ({
      ...skipped,
      language: `x${n}`,
      status: 'ready' as const,
      reason: null,
    })),
    ...others,
  ];
  const show = async (...rounds: (readonly CaptionRow[])[]): Promise<string> => {
    const read = async (): Promise<StatusRecord> => ({
      ...record,
      captions: [...((rounds.length > 1 ? rounds.shift() : rounds[0]) ?? [])],
    });
    return await outcome(settledTracks(read, QUICK).then((settled) => checkTracks('soccer', settled, 17)));
  };

  it('17 ready tracks of 19 are enough once none is in progress', async () => {
    const making: CaptionRow = { ...skipped, status: 'processing', reason: null };
    expect(await show([], tracks(17, [making, skipped]), tracks(17, [skipped, skipped]))).to.equal(
      'soccer 17 of 19 tracks',
    );
  });
  it('a missing track, too few ready ones, or one that never ends is an error', async () => {
    expect(await show(tracks(17, [skipped]))).to.include('soccer video lists 18');
    expect(await show(tracks(16, [skipped, skipped, skipped]))).to.include('Only 16');
    expect(await show(tracks(18, [{ ...skipped, status: 'processing' }]))).to.include('has come to its end');
  });
  it('a word is found with its second and its text', async () => {
    const found = await outcome(findWord(oneVideo(), ID, word, QUICK));
    expect(found).to.match(/“goalkeeper” \(only spoken, in English\): .*04.* the goalkeeper saves/);
  });
  it('a word that is missing, in another video, in another field or at another second is an error', async () => {
    const find = (id: string, change: Partial<Word>) =>
      outcome(findWord(oneVideo(), id, { ...word, ...change }, QUICK));
    expect(await find(ID, { word: 'striker' })).to.include('“striker” (only spoken, in English): not within');
    expect(await find(ID.replace('0', '1'), {})).to.include('not within');
    expect(await find(ID, { where: 'screen' })).to.include('not within');
    expect(await find(ID, { fromMs: 5_000 })).to.include('where it is not');
  });
  it('the video is found in the general feed, and in the feed of its sport', async () => {
    const queries: unknown[] = [];
    expect(await outcome(findInFeed(oneVideo(queries), [ID], QUICK))).to.equal('the video is in the feed');
    expect(await outcome(findInFeed(oneVideo(queries), [ID], { ...QUICK, sport: 'soccer' }))).to.include('of soccer');
    expect(queries).to.deep.equal([{}, { sport: 'soccer' }]);
    expect(await outcome(findInFeed(oneVideo(), [ID], { ...QUICK, sport: 'tennis' }))).to.include('not within');
    expect(await outcome(findInFeed(oneVideo(), [ID, 'another'], QUICK))).to.include('not within');
  });
  it('a recommendation is another video, not the same one', async () => {
    expect(await outcome(findSimilar(oneVideo(), 'another', QUICK))).to.include(item.title);
    expect(await outcome(findSimilar(oneVideo(), ID, QUICK))).to.include('not within');
  });
});
