import type { CreateVideoRequestOut } from '@vds/proto/generated/vds/catalog/v1/CreateVideoRequest.ts';
import { expect } from 'chai';
import fc from 'fast-check';
import { ingestFixture, smallest } from './ingest-fixture.ts';
import { runs } from '@vds/testkit/counts';

describe('POST /v1/videos', () => {
  const { created, send, expectRejection } = ingestFixture();

  it('the smallest request is accepted and returns the address of the video', async () => {
    const seen = await send(smallest);
    expect(seen.status).to.equal(202);
    const body = seen.body as { id: string; resource_url: string; message: string };
    expect(body.message).to.equal('Video accepted. Processing typically takes 2 to 5 minutes.');
    expect(body.resource_url).to.equal(`/v1/videos/${body.id.slice('vid_'.length)}`);
    expect(seen.headers.get('x-ratelimit-daily-remaining')).to.equal('498');
    const { id, publisherId, keyId, budgetId, dailyLimit, sourceUrl, title, tags, languageCode } =
      created[0] as CreateVideoRequestOut;
    expect(`vid_${id}`).to.equal(body.id);
    expect({ publisherId, keyId, budgetId, dailyLimit, sourceUrl, title, tags, languageCode }).to.deep.equal({
      publisherId: 'pub1', keyId: 'k'.repeat(24), budgetId: 'bud1', dailyLimit: 500, sourceUrl: smallest.source_url, title: 'Final', tags: [], languageCode: 'en',
    }); // prettier-ignore
    for (const field of ['summary', 'thumbnailUrl', 'sport', 'category'])
      expect(created[0]).not.to.have.property(field);
  });

  it('every field is passed on as it was sent', async () => {
    const full = {
      ...smallest,
      thumbnail_url: 'https://a.example.com/t.jpg',
      tags: ['b', '', 'b'],
      sport: 'golf',
      category: 'sports',
      language_code: 'de',
      summary: '',
      unknown: { title: 5 },
    };
    expect((await send(full)).status).to.equal(202);
    expect(created[0]).to.include({
      thumbnailUrl: full.thumbnail_url,
      sport: 'golf',
      category: 'sports',
      languageCode: 'de',
      summary: '',
    });
    expect(created[0]?.tags).to.deep.equal(full.tags);
  });

  it('null in an optional field means left out', async () => {
    const none = { thumbnail_url: null, tags: null, sport: null, category: null, language_code: null, summary: null };
    expect((await send({ ...smallest, ...none })).status).to.equal(202);
    expect(created[0]).to.include({ languageCode: 'en' });
    expect(created[0]?.tags).to.deep.equal([]);
    for (const field of ['summary', 'thumbnailUrl', 'sport', 'category'])
      expect(created[0]).not.to.have.property(field);
  });

  it('texts are kept code point for code point', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1, maxLength: 50 }), async (text) => {
        fc.pre(!text.includes('\u0000') && /\P{White_Space}/u.test(text));
        created.splice(0);
        expect((await send({ ...smallest, title: text, summary: text, tags: [text] })).status).to.equal(202);
        expect([created[0]?.title, created[0]?.summary, created[0]?.tags[0]]).to.deep.equal([text, text, text]);
      }),
      { numRuns: runs(60) },
    );
  });

  it('lengths are counted in code points', async () => {
    const tags = Array.from({ length: 25 }, () => '😀'.repeat(50));
    expect((await send({ ...smallest, title: '😀'.repeat(200), summary: '😀'.repeat(2_000), tags })).status).to.equal(
      202,
    );
    created.splice(0);
    await expectRejection({ ...smallest, title: '😀'.repeat(201) }, 'title must be at most 200 characters');
    await expectRejection({ ...smallest, summary: '😀'.repeat(2_001) }, 'summary must be at most 2000 characters');
    await expectRejection({ ...smallest, tags: ['😀'.repeat(51)] }, 'tags[0] must be at most 50 characters');
  });

  it('a trusted private host is accepted on its port only', async () => {
    expect((await send({ ...smallest, source_url: 'https://localhost:8443/x' })).status).to.equal(202);
    created.splice(0);
    await expectRejection({ ...smallest, source_url: 'https://localhost:8444/x' }, /public internet/);
  });

  it('the body must be application/json in UTF-8 without content-encoding', async () => {
    const body = JSON.stringify(smallest);
    await expectRejection(body, 'content-type must be application/json', { 'content-type': 'text/plain' });
    await expectRejection(body, 'content-type must be application/json', { 'content-type': 'application/json5' });
    await expectRejection(body, 'the charset of the body must be utf-8', {
      'content-type': 'application/json; charset=latin1',
    });
    await expectRejection(body, 'the body must be sent without content-encoding', { 'content-encoding': 'gzip' });
    for (const type of [
      'APPLICATION/JSON',
      'application/json;charset=UTF-8',
      'application/json; charset="utf-8"',
      'application/json; v=1',
    ])
      expect((await send(body, { 'content-type': type })).status, type).to.equal(202);
  });

  it('a body of 256 KiB is accepted and one byte more is not', async () => {
    const padded = (size: number): string => {
      const body = JSON.stringify({ ...smallest, padding: '' });
      return body.replace('"padding":""', `"padding":"${'x'.repeat(size - body.length)}"`);
    };
    expect((await send(padded(256 * 1024))).status).to.equal(202);
    created.splice(0);
    await expectRejection(padded(256 * 1024 + 1), 'the body must be at most 256 KiB');
  });

  it('a body of many megabytes is rejected and the connection stays usable', async () => {
    await expectRejection('x'.repeat(8 * 1024 * 1024), 'the body must be at most 256 KiB');
    expect((await send(smallest)).status).to.equal(202);
  });

  it('two equal requests create two videos', async () => {
    await send(smallest);
    await send(smallest);
    expect(new Set(created.map(({ id }) => id)).size).to.equal(2);
  });
});
