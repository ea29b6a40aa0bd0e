import type { HitOut } from '@vds/proto/generated/vds/indexer/v1/Hit.ts';
import type { ItemOut } from '@vds/proto/generated/vds/indexer/v1/Item.ts';
import { AppError } from '@vds/chassis/errors';
import { expect } from 'chai';
import type { Discovery } from './discovery.ts';
import { startPageServer, type PageServer } from './page-server.ts';
import { findInFeed, findWords, showTracks, type Word } from './check-discovery.ts';
import type { CaptionRow, StatusRecord } from '@vds/testkit/stack/partner';

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

async function failure(work: Promise<unknown>): Promise<string> {
  return await work.then(
    () => 'it went well',
    (error: Error) => error.message,
  );
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
      return { items: [item] };
    },
    close: async () => {},
  };
}

describe('the server of the discovery page', () => {
  let server: PageServer;
  const queries: unknown[] = [];
  const records: (string | undefined)[] = [];

  before(async () => {
    server = await startPageServer({
      record: async (id) => {
        records.push(id);
        return record;
      },
      token: async () => 'token',
      playbackUrl: 'https://play.test',
      discovery: oneVideo(queries),
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
    for (const path of ['discover.html', 'discover.js', 'discover.css', 'results.js', 'captions.js', 'stream.js']) {
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
    expect((await get(`api/similar?v=vid_${ID}`)).body).to.have.nested.property('items[0].video_id', ID);
    expect(queries).to.deep.equal([{}, ID]);
  });

  it('the page server returns the record of the requested video, or of its own', async () => {
    await get(`api/video?v=${ID}`);
    await get('api/video');
    expect(records).to.deep.equal([ID, undefined]);
  });

  for (const path of [
    'api/video?v=../../etc/passwd',
    'api/stream?v=x',
    'api/similar',
    `api/search?q=${'x'.repeat(8_193)}`,
    'api/search?q=a&q=b',
    'api/search?q[a]=b&sport=x&sport=y',
    'api/search?q=a&cursor=forged',
  ]) {
    it(`the page server rejects ${path.slice(0, 40)} with 400 and a sentence`, async () => {
      const { status, body } = await get(path);
      expect(status).to.equal(400);
      expect(body['error']).to.be.a('string');
    });
  }

  it('the page server returns 502 when the stack fails', async () => {
    expect((await get('api/search?q=down')).status).to.equal(502);
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
  const show = async (...rounds: (readonly CaptionRow[])[]): Promise<string> =>
    await failure(
      showTracks(
        async (): Promise<StatusRecord> => ({
          ...record,
          captions: [...((rounds.length > 1 ? rounds.shift() : rounds[0]) ?? [])],
        }),
        {
          everyMs: 1,
          capMs: 300,
        },
      ),
    );

  it('17 ready tracks of 19 are enough once none is in progress', async () => {
    const making: CaptionRow = { ...skipped, status: 'processing', reason: null };
    expect(await show([], tracks(17, [making, skipped]), tracks(17, [skipped, skipped]))).to.equal('it went well');
  });
  it('a missing track, too few ready ones, or one that never ends is an error', async () => {
    expect(await show(tracks(17, [skipped]))).to.include('lists 18');
    expect(await show(tracks(16, [skipped, skipped, skipped]))).to.include('Only 16');
    expect(await show(tracks(18, [{ ...skipped, status: 'processing' }]))).to.include('has come to its end');
  });
  it('a word is found with its second', async () => {
    expect(await failure(findWords(oneVideo(), ID, [word], 300))).to.equal('it went well');
  });
  it('a word that is missing, in another video, in another field or at another second is an error', async () => {
    expect(await failure(findWords(oneVideo(), ID, [{ ...word, word: 'striker' }], 300))).to.include('striker');
    expect(await failure(findWords(oneVideo(), ID.replace('0', '1'), [word], 300))).to.include('goalkeeper');
    expect(await failure(findWords(oneVideo(), ID, [{ ...word, where: 'screen' }], 300))).to.include('goalkeeper');
    expect(await failure(findWords(oneVideo(), ID, [{ ...word, fromMs: 5_000 }], 300))).to.include('where it is not');
  });
  it('the video is found in the feed of its sport', async () => {
    expect(await failure(findInFeed(oneVideo(), ID, 'soccer', 300))).to.equal('it went well');
    expect(await failure(findInFeed(oneVideo(), ID, 'tennis', 300))).to.include('feed of tennis');
  });
});
