/** Texts that are rejected, with the name of their field; lengths are counted in code points. */
import { expectContract } from '@vds/proto/testing/contract-check';
import { expect } from 'chai';
import type { Steps } from '../fixtures/steps.ts';
import { sharedFixture } from '../harness/host/shared-fixture.ts';

const request = { source_url: 'https://origin.example.com/text.mp4', title: 'x' };
const astral = '\u{1f3be}';

/** A request with one text in one of its text fields. */
const places: Readonly<Record<string, (text: string) => object>> = {
  title: (text) => ({ ...request, title: text }),
  summary: (text) => ({ ...request, summary: text }),
  'tags[0]': (text) => ({ ...request, tags: [text, 'b'] }),
  'tags[24]': (text) => ({ ...request, tags: [...Array.from({ length: 24 }, () => 'a'), text] }),
};

describe('rejected texts', () => {
  let steps: Steps;
  before(async function () {
    this.timeout(120_000);
    ({ steps } = await (await sharedFixture()).newPublisher('Refusals'));
  });

  const post = async (body: string | Uint8Array<ArrayBuffer>) => {
    const { base, key } = steps.partner;
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const response = await fetch(`${base}/v1/videos`, { method: 'POST', headers, body });
    const answer = (await response.json()) as { title?: string; error?: { code: string; message: string } };
    expectContract('POST', '/v1/videos', { status: response.status, headers: response.headers, body: answer });
    return { status: response.status, code: answer.error?.code, message: answer.error?.message ?? '' };
  };
  const refused = async (body: string | Uint8Array<ArrayBuffer>, names: string | RegExp): Promise<void> => {
    const { status, code, message } = await post(body);
    expect([status, code], message).to.deep.equal([400, 'invalid_input']);
    expect(message).to.match(typeof names === 'string' ? new RegExp(`^${RegExp.escape(names)}\\b`) : names);
  };

  for (const [field, requestOf] of Object.entries(places)) {
    const name = field.replace(/\]$/, '');
    it(`a text with U+0000 anywhere in ${field} is rejected`, async () => {
      for (const text of ['\u0000', 'a\u0000', '\u0000a', 'a\u0000b', `${astral}\u0000`])
        await refused(JSON.stringify(requestOf(text)), name);
    });

    it(`a text with half of a surrogate pair in ${field} is rejected`, async () => {
      for (const text of ['\ud83c', 'a\udfbe', '\udfbe\ud83c', `${astral}\ud83c`, '\ud83c\ud83c\udfbe'])
        await refused(JSON.stringify(requestOf(text)), name);
    });
  }

  it('a body that is not UTF-8 is rejected', async () => {
    const [before = '', behind = ''] = JSON.stringify({ ...request, title: 'MARK' }).split('MARK');
    for (const bytes of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82], [0x80]]) {
      const body = Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(behind)]);
      await refused(new Uint8Array(body), /UTF-8/i);
    }
  });

  it('a text is rejected from one code point over the length of its field', async () => {
    const most = { title: 200, summary: 2_000, 'tags[0]': 50, 'tags[24]': 50 } as const;
    for (const [field, length] of Object.entries(most)) {
      const requestOf = places[field] ?? places['title'];
      for (const one of [astral, 'é', 'e\u0301', '\u200d']) {
        const points = [...one].length;
        const right = one.repeat(length / points);
        expect((await post(JSON.stringify(requestOf?.(right)))).status, `${length} of ${one} in ${field}`).to.equal(
          202,
        );
        await refused(JSON.stringify(requestOf?.(`${right}x`)), field.replace(/\]$/, ''));
      }
    }
  });

  it('surplus tags, and values that are not texts, are rejected', async () => {
    const tags = Array.from({ length: 26 }, () => 'a');
    await refused(JSON.stringify({ ...request, tags }), 'tags');
    await refused(JSON.stringify({ ...request, tags: ['a', 1] }), 'tags[1');
    await refused(JSON.stringify({ ...request, tags: 'a' }), 'tags');
    await refused(JSON.stringify({ ...request, title: 1 }), 'title');
    await refused(JSON.stringify({ ...request, summary: ['a'] }), 'summary');
  });

  it('a title of only white space, of any kind, is rejected', async () => {
    for (const title of [
      '',
      ' ',
      '\t\n\v\f\r',
      '\u0085\u00a0\u1680',
      '\u2000\u2001\u200a',
      '\u2028\u2029\u202f\u205f\u3000',
    ])
      await refused(JSON.stringify({ ...request, title }), 'title');
    for (const title of ['\u200b', '\ufeff', '\u180e', '\u0301', '\u202e', '\u0001'])
      expect((await post(JSON.stringify({ ...request, title }))).status, JSON.stringify(title)).to.equal(202);
  });
});
