/** Catalog's request for a body that is valid by the schema, and the validation errors that no schema can express. */
import { expect } from 'chai';
import fc from 'fast-check';
import { readIngest, type IngestBody } from '../../src/domain/ingest-request.ts';

const policy = {
  isPublic: () => false,
  trusted: (host: string, port: number) => host === 'localhost' && port === 8443,
};
const smallest: IngestBody = { source_url: 'https://media.example.com/a.mp4', title: 'Final' };
function read(more: Partial<IngestBody>) {
  return readIngest({ ...smallest, ...more }, policy);
}
function errorOf(more: Partial<IngestBody>): string {
  try {
    read(more);
  } catch (error) {
    expect(error).to.have.property('code', 'INVALID_ARGUMENT');
    return (error as Error).message;
  }
  return 'none';
}

describe('an ingest request', () => {
  it('an ingest request with only address and title has no tags and the language English', () => {
    const expected = { sourceUrl: smallest.source_url, title: 'Final', tags: [], languageCode: 'en' };
    expect(readIngest(smallest, policy)).to.deep.equal(expected);
    const none = { thumbnail_url: null, tags: null, sport: null, category: null, language_code: null, summary: null };
    expect(read(none)).to.deep.equal(expected);
  });

  it('an ingest request passes on every field, including empty texts', () => {
    const given = { tags: ['b', '', 'b'], sport: 'golf', category: 'sports', summary: '' } as const;
    const thumbnail = 'https://a.example.com/t.jpg';
    expect(
      readIngest(
        { ...smallest, ...given, tags: [...given.tags], thumbnail_url: thumbnail, language_code: 'de' },
        policy,
      ),
    ).to.deep.equal({
      ...given,
      sourceUrl: smallest.source_url,
      title: 'Final',
      thumbnailUrl: thumbnail,
      languageCode: 'de',
    });
  });

  it('half of a surrogate pair is rejected with the name of the field', () => {
    for (const text of ['\ud83d', 'a\udc00', '\udc00\ud83d'])
      expect(errorOf({ summary: text })).to.include('surrogate');
    expect(errorOf({ title: 'a\udc00' })).to.equal('title must not contain half of a surrogate pair');
    expect(errorOf({ summary: '\ud83d' })).to.equal('summary must not contain half of a surrogate pair');
    expect(errorOf({ tags: ['a', 'b\ud83d'] })).to.equal('tags[1] must not contain half of a surrogate pair');
  });

  it('well-formed texts of every kind are accepted', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(errorOf({ title: text })).to.equal('none');
      }),
    );
  });

  it('blank texts are accepted', () => {
    expect(errorOf({ summary: ' ', tags: [' '] })).to.equal('none');
  });

  it('an invalid source or thumbnail address is rejected with the name of the field', () => {
    expect(errorOf({ source_url: 'http://a.example.com/x' })).to.equal('source_url must be an https address');
    expect(errorOf({ thumbnail_url: 'http://a.example.com/x' })).to.equal('thumbnail_url must be an https address');
  });

  it('a trusted host is accepted for the source, never for the thumbnail', () => {
    const trusted = 'https://localhost:8443/x';
    expect(errorOf({ source_url: trusted })).to.equal('none');
    expect(errorOf({ thumbnail_url: trusted })).to.equal('thumbnail_url must name a host on the public internet');
  });
});
