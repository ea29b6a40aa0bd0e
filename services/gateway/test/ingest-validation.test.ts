import { ingestFixture, smallest } from './ingest-fixture.ts';

const visible = 'title must have at least one character that is not white space, and no U+0000';

describe('POST /v1/videos with an invalid body', () => {
  const { expectRejection } = ingestFixture();

  const invalidBodies: readonly (readonly [body: unknown, message: string | RegExp])[] = [
    [{ title: 'x' }, 'source_url is required'],
    [{ source_url: smallest.source_url }, 'title is required'],
    [[], 'the body must be a JSON object'],
    ['null', 'the body must be a JSON object'],
    ['"x"', 'the body must be a JSON object'],
    [{ ...smallest, title: 5 }, 'title must be a string'],
    [{ ...smallest, title: null }, 'title must be a string'],
    [{ ...smallest, title: '' }, 'title must not be empty'],
    [{ ...smallest, title: ' \u3000\n' }, visible],
    [{ ...smallest, title: '\t\r\n\v\f \u00a0\u2003\u2028\u0085' }, visible],
    [{ ...smallest, title: 'a\u0000' }, visible],
    [{ ...smallest, summary: '\u0000' }, 'summary must not contain the character U+0000'],
    [{ ...smallest, title: '\ud83d' }, 'title must not contain half of a surrogate pair'],
    [{ ...smallest, summary: 'x'.repeat(2_001) }, 'summary must be at most 2000 characters'],
    [{ ...smallest, summary: '\udc00' }, 'summary must not contain half of a surrogate pair'],
    [{ ...smallest, tags: 'x' }, 'tags must be a list'],
    [{ ...smallest, tags: Array.from({ length: 26 }, String) }, 'tags must have at most 25 items'],
    [{ ...smallest, tags: ['a', 'x'.repeat(51)] }, 'tags[1] must be at most 50 characters'],
    [{ ...smallest, tags: ['a', null] }, 'tags[1] must be a string'],
    [{ ...smallest, tags: ['a', 'b\u0000'] }, 'tags[1] must not contain the character U+0000'],
    [{ ...smallest, sport: 'quidditch' }, /^sport must be one of tennis, soccer, .*pickleball$/],
    [{ ...smallest, sport: 5 }, /^sport must be/],
    [{ ...smallest, category: '' }, /^category must be one of autos_vehicles/],
    [{ ...smallest, language_code: 'en-US' }, 'language_code must be two lower-case letters (ISO 639-1)'],
    [{ ...smallest, language_code: 'EN' }, 'language_code must be two lower-case letters (ISO 639-1)'],
    [{ ...smallest, language_code: 'en\n' }, 'language_code must be two lower-case letters (ISO 639-1)'],
    [{ ...smallest, source_url: 'http://media.example.com/x' }, 'source_url must be an https address'],
    [{ ...smallest, source_url: 'https://10.0.0.1/x' }, 'source_url must lead to a public internet address'],
    [{ ...smallest, source_url: 'https://0x7f.1/x' }, 'source_url must lead to a public internet address'],
    [{ ...smallest, source_url: 'https://[::1]/x' }, 'source_url must lead to a public internet address'],
    [{ ...smallest, source_url: 'https://localhost/x' }, 'source_url must name a host on the public internet'],
    [{ ...smallest, source_url: 'https://a:b@example.com/x' }, 'source_url must not contain a user name or password'],
    [{ ...smallest, source_url: 'https://example.com/ä' }, /^source_url must be an absolute URI/],
    [
      { ...smallest, source_url: `https://example.com/${'a'.repeat(8_192)}` },
      'source_url must be at most 8192 characters',
    ],
    [{ ...smallest, thumbnail_url: 'http://example.com/t.jpg' }, 'thumbnail_url must be an https address'],
    [{ ...smallest, thumbnail_url: '' }, /^thumbnail_url must be/],
    [
      { ...smallest, thumbnail_url: 'https://localhost:8443/t.jpg' },
      'thumbnail_url must name a host on the public internet',
    ],
    [
      '{"title":"a","title":"b","source_url":"https://example.com/x"}',
      'the body must not name a member twice: "title"',
    ],
    ['{"title":', 'the body must be valid JSON'],
    ['', 'a JSON body is required'],
    [new Uint8Array([0x7b, 0xff, 0x7d]), 'the body must be UTF-8'],
  ];
  for (const [body, message] of invalidBodies)
    it(`the body ${JSON.stringify(body).slice(0, 70)} is rejected: ${String(message).slice(0, 60)}`, () =>
      expectRejection(body, message));
});
