/**
 * A partner's texts are returned code point for code point: by the interface, the database, the index and the apps'
 * queries.
 */
import { expectContract } from '@vds/proto/testing/contract-check';
import { indexPrefix } from '@vds/deploy-tools/installation';
import { runs } from '@vds/testkit/counts';
import { until } from '@vds/testkit/until';
import { expect } from 'chai';
import { appsOf, bare, type Apps } from '../harness/apps-client.ts';
import type { Steps } from '../fixtures/steps.ts';
import {
  difference,
  differences,
  escaped,
  makeTexts,
  marker,
  type Texts,
  type PartnerTexts,
} from '../fixtures/texts.ts';
import { sharedFixture, type SharedFixture } from '../harness/host/shared-fixture.ts';

const source = 'https://origin.example.com/text.mp4';
const seed = Number(process.env['VDS_SEED'] ?? Date.now() % 2 ** 31);
type Video = Texts & { readonly id: string };

/** NFKC, but for underscores, which divide words, for invisible characters, and for marks of Thai and Lao that are typed in more than one order. */
function searchedForm(text: string): string {
  const left = /\u00ad|\ufeff|[\u0e48-\u0e4b]|\u0e4d|[\u0ec8-\u0ecb]|\u0ecd/g;
  return text
    .normalize('NFKC')
    .replaceAll(left, '')
    .normalize('NFKC')
    .replaceAll(/\p{Pc}/gu, ' ');
}

function inForm({ title, tags }: Pick<PartnerTexts, 'title' | 'tags'>, form: (text: string) => string) {
  return { title: form(title), tags: tags.map(form) };
}

describe('the texts of a video', () => {
  let fixture: SharedFixture;
  let steps: Steps;
  let apps: Apps;
  let publisherId: string;
  let videos: readonly Video[];
  const counts = new Map<string, number>();

  const post = async (body: string): Promise<{ status: number; body: { id: string } }> => {
    const { base, key } = steps.partner;
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const response = await fetch(`${base}/v1/videos`, { method: 'POST', headers, body });
    const answer = {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as { id: string },
    };
    expectContract('POST', '/v1/videos', answer);
    return answer;
  };

  /** Expects every video's texts to equal what was sent, in the given form. */
  const checkAll = (
    where: string,
    actual: (video: Video) => PartnerTexts | undefined,
    form = (text: string): string => text,
  ): void => {
    const wrong = videos.flatMap((video) => {
      const found = actual(video);
      const received = found && { ...inForm(found, form), summary: found.summary && form(found.summary) };
      const sent = { ...video, ...inForm(video, form), summary: form(video.summary) };
      return differences(sent, received).map((what) => `${video.id} ${what}`);
    });
    expect(wrong.slice(0, 5), `${wrong.length} differ ${where} (seed ${seed})`).to.deep.equal([]);
  };

  before(async function () {
    this.timeout(600_000);
    fixture = await sharedFixture();
    ({ steps, publisherId } = await fixture.newPublisher('Text'));
    apps = appsOf(fixture.stack.stack);
    const texts = makeTexts(runs(40), seed, counts);
    const made: Video[] = [];
    const waiting = texts.entries();
    const slot = async (): Promise<void> => {
      for (const [index, text] of waiting) {
        const request = { source_url: source, ...text };
        const { status, body } = await post(index % 2 === 0 ? JSON.stringify(request) : escaped(request));
        expect(status, JSON.stringify(body)).to.equal(202);
        made.push({ ...text, id: body.id });
      }
    };
    await Promise.all(Array.from({ length: 8 }, slot));
    videos = made;
  });
  after(async () => {
    await apps?.close();
    const each = [...counts].map(([name, count]) => `${name} ${count}`).join(', ');
    console.log(`      ${[...counts.values()].reduce((a, b) => a + b, 0)} texts (seed ${seed}): ${each}`);
  });

  const records = async (): Promise<ReadonlyMap<string, PartnerTexts>> => {
    const found = new Map<string, PartnerTexts>();
    const waiting = videos.values();
    const slot = async (): Promise<void> => {
      for (const { id } of waiting) found.set(id, await steps.partner.get(id));
    };
    await Promise.all(Array.from({ length: 8 }, slot));
    return found;
  };

  it('a text is returned unchanged by the interface while the video is processing', async function () {
    this.timeout(120_000);
    const actual = await records();
    checkAll('in the record', ({ id }) => actual.get(id));
  });

  it('a text is stored in the database as it was sent', async () => {
    const { rows } = await fixture.stack.stack
      .adminPool('catalog')
      .query<PartnerTexts & { id: string }>('SELECT id, title, summary, tags FROM videos WHERE id = ANY($1)', [
        videos.map(({ id }) => bare(id)),
      ]);
    const actual = new Map(rows.map((row) => [row.id, row]));
    checkAll('in the row', ({ id }) => actual.get(bare(id)));
  });

  it('a text is returned unchanged by the interface when the video is live', async function () {
    this.timeout(900_000);
    const waiting = videos.values();
    const slot = async (): Promise<void> => {
      for (const { id } of waiting) await steps.live(id);
    };
    await Promise.all(Array.from({ length: 16 }, slot));
    const actual = await records();
    checkAll('in the record', ({ id }) => actual.get(id));
  });

  it('a text is stored in the index as it was sent, and searched in one form of its characters', async function () {
    this.timeout(300_000);
    const { opensearch } = fixture.stack.stack.servers;
    const fields = ['_source', 'title_in.*', 'summary_in.*'];
    type Hit = { _id: string; _source: PartnerTexts & { item: PartnerTexts }; fields: Record<string, string[]> };
    const read = async (): Promise<readonly Hit[]> => {
      const response = await fetch(`${opensearch?.url}/${indexPrefix(fixture.stack.stack.name)}videos/_search`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ size: videos.length, query: { bool: { filter: [{ term: { publisher_id: publisherId } }, { term: { live: true } }] } }, stored_fields: fields }), // prettier-ignore
      });
      return ((await response.json()) as { hits: { hits: Hit[] } }).hits.hits;
    };
    const all = async () => {
      const hits = await read();
      return hits.length === videos.length ? hits : undefined;
    };
    const hits = await until(all, { what: 'every document', capMs: 240_000, everyMs: 500 });
    const documents = new Map(hits.map((hit) => [hit._id, hit]));
    checkAll('in what the document shows', ({ id }) => documents.get(bare(id))?._source.item);
    checkAll('in the document', ({ id }) => documents.get(bare(id))?._source, searchedForm);
    const words = ({ id, tags }: Video): PartnerTexts | undefined => {
      const fields = documents.get(bare(id))?.fields;
      const [title = ''] = fields?.['title_in.en'] ?? [];
      return fields && { title, summary: fields['summary_in.en']?.[0], tags };
    };
    checkAll('in the words of the document', words, searchedForm);
  });

  it('a text is returned unchanged to the apps, in the feed and in search', async function () {
    this.timeout(120_000);
    const pages = async (
      page: (cursor: string) => Promise<{ items: (PartnerTexts & { videoId: string })[]; nextCursor: string }>,
    ) => {
      const found = new Map<string, PartnerTexts>();
      let cursor = '';
      do {
        const { items, nextCursor } = await page(cursor);
        for (const item of items) found.set(item.videoId, item);
        cursor = nextCursor;
      } while (cursor !== '');
      return found;
    };
    const feed = await pages(async (cursor) => apps.feed({ publisherId, limit: 50, cursor }));
    checkAll('in the feed', ({ id }) => feed.get(bare(id)));
    const search = await pages(async (cursor) => {
      const { hits, nextCursor } = await apps.search(marker, { publisherId, limit: 50, cursor });
      return { items: hits.flatMap(({ item }) => item ?? []), nextCursor };
    });
    checkAll('in search', ({ id }) => search.get(bare(id)));
  });

  it('the title of a deleted video is returned unchanged, its other texts are gone', async () => {
    for (const { id, title } of videos.slice(0, 14)) {
      await steps.partner.remove(id);
      const record = await steps.partner.get(id);
      expect(difference(title, record.title), `seed ${seed}`).to.equal(undefined);
      expect([record.summary, record.tags]).to.deep.equal([null, []]);
    }
  });
});
