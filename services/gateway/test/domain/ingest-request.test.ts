/** What catalog is told of a request that obeys the schema, and the refusals that no schema can say. */
import { expect } from 'chai';
import { readIngest, type IngestBody } from '../../src/domain/ingest-request.ts';

const policy = {
  isPublic: () => false,
  trusted: (host: string, port: number) => host === 'localhost' && port === 8443,
};
const smallest: IngestBody = { source_url: 'https://media.example.com/a.mp4', title: 'Final' };
function read(more: Partial<IngestBody>) {
  return readIngest({ ...smallest, ...more }, policy);
}
function refusal(more: Partial<IngestBody>): string {
  try {
    read(more);
  } catch (error) {
    expect(error).to.have.property('code', 'INVALID_ARGUMENT');
    return (error as Error).message;
  }
  return 'none';
}

describe('a request to ingest', () => {
  it('tells catalog address, title, an empty list of tags and English where nothing else is given', () => {
    const told = { sourceUrl: smallest.source_url, title: 'Final', tags: [], languageCode: 'en' };
    expect(readIngest(smallest, policy)).to.deep.equal(told);
    const none = { thumbnail_url: null, tags: null, sport: null, category: null, language_code: null, summary: null };
    expect(read(none)).to.deep.equal(told);
  });

  it('tells catalog every field that is given, empty texts too', () => {
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

  it('is refused for a text that cannot be kept, by the field’s name', () => {
    expect(refusal({ title: 'a\udc00' })).to.equal('title must not contain half of a surrogate pair');
    expect(refusal({ summary: '\ud83d' })).to.equal('summary must not contain half of a surrogate pair');
    expect(refusal({ tags: ['a', 'b\ud83d'] })).to.equal('tags[1] must not contain half of a surrogate pair');
  });

  it('is not refused for a text that is blank', () => {
    expect(refusal({ summary: ' ', tags: [' '] })).to.equal('none');
  });

  it('is refused for an address of the source or the thumbnail, by the field’s name', () => {
    expect(refusal({ source_url: 'http://a.example.com/x' })).to.equal('source_url must be an https address');
    expect(refusal({ thumbnail_url: 'http://a.example.com/x' })).to.equal('thumbnail_url must be an https address');
  });

  it('may name a trusted host for its source, never for its thumbnail', () => {
    const trusted = 'https://localhost:8443/x';
    expect(refusal({ source_url: trusted })).to.equal('none');
    expect(refusal({ thumbnail_url: trusted })).to.equal('thumbnail_url must name a host on the public internet');
  });
});
