/** Hostile queries: each has a reply or INVALID_ARGUMENT, none an error of OpenSearch. */
import { expect } from 'chai';
import { AppError } from '@vds/chassis/errors';
import { openTestIndex, type TestIndex } from './test-index.ts';
import { clip, newId } from './videos.ts';

const scripts: Readonly<Record<string, string>> = {
  latin: 'the quick brown fox jumps over ',
  cyrillic: 'съешь же ещё этих мягких французских булок ',
  greek: 'ξεσκεπάζω την ψυχοφθόρα βδελυγμία ',
  arabic: 'صِف خَلقَ خَودٍ كَمِثلِ الشَمسِ ',
  hebrew: 'דג סקרן שט בים מאוכזב ',
  devanagari: 'ऋषियों को सताने वाले दुष्ट राक्षसों ',
  bengali: 'আমি বাংলায় গান গাই ',
  thai: 'เป็นมนุษย์สุดประเสริฐเลิศคุณค่า',
  han: '視野無限廣窗外有藍天',
  kana: 'いろはにほへとちりぬるを',
  hangul: '키스의 고유조건은 입술끼리 만나야 하고 ',
  armenian: 'Կրնամ ապակի ուտել ',
  georgian: 'მინას ვჭამ და არა მტკივა ',
  khmer: 'ខ្ញុំអាចញុំកញ្ចក់បាន',
  emoji: '🎾🏆👨‍👩‍👧‍👦🇪🇸',
  syntax: 'title:"a" AND (b OR *c*) {"match_all":{}} \\ / ~2 [1 TO *] ',
  controls: '\u0001\u0002 a\u0007b \u200b\u202e c',
  one: 'x',
  combining: 'e\u0301\u0302\u0303\u0304',
};
function points(text: string, length: number): string {
  const letters = [...text];
  return Array.from({ length }, (_empty, at) => letters[at % letters.length]).join('');
}

/** Distinct words of that script, until `length` code points are reached. */
function words(text: string, length: number): string {
  const letters = [...text].filter((letter) => letter !== ' ');
  const word = (at: number): string =>
    [at, at * 3 + 1, at * 7 + 2, Math.floor(at / letters.length) + 3].map((n) => letters[n % letters.length]).join('');
  return points(`${Array.from({ length }, (_empty, at) => word(at)).join(' ')}`, length);
}

describe('hostile queries', function () {
  this.timeout(60_000);
  let testIndex: TestIndex;
  before(async () => {
    testIndex = await openTestIndex();
    const spoken = Object.fromEntries(
      'en es pt-BR fr it pt ca gl oc an ast sc eo de ja zh ar ru hi th el bn hy fa'
        .split(' ')
        .map((language, at) => [language, [[1_000, Object.values(scripts)[at % 14] ?? '']] as const]),
    );
    await testIndex.put(
      ...['en', 'es', 'fr', 'de', 'ja', 'ru'].map((languageCode) => ({
        clip: clip(newId(), { languageCode, title: points(scripts['latin'] ?? '', 200) }),
        spoken,
      })),
    );
  });
  after(() => testIndex.close());

  const codeOf = async (work: Promise<unknown>): Promise<string> => {
    try {
      await work;
      return 'OK';
    } catch (error) {
      return error instanceof AppError ? error.code : String(error);
    }
  };

  for (const [script, text] of Object.entries(scripts)) {
    it(`a query of 2,000 code points of ${script} is answered`, async () => {
      expect(await codeOf(testIndex.find(points(text, 2_000)))).to.equal('OK');
      expect(await codeOf(testIndex.find(words(text, 2_000), { language: 'es' }))).to.equal('OK');
    });
  }
  it('queries of one letter, of only marks and of one endless word are answered', async () => {
    for (const query of ['a', '?!', '"', '\u0301', 'é'.repeat(2_000), 'a'.repeat(2_000), '1'.repeat(2_000), '_'])
      expect(await codeOf(testIndex.find(query)), query.slice(0, 10)).to.equal('OK');
  });
  it('rows of emoji and of Hangul without a space are answered, however many terms they are', async () => {
    const hangul = String.fromCodePoint(...Array.from({ length: 500 }, (_empty, at) => 0xac00 + at * 20));
    for (const row of ['🎾', '🎾🏆⚽🏀🏈⚾🥎🏐🏉🎱', hangul, 'goal🎾', 'a.b:c·d1.5,2;3.', '가.나'])
      expect(await codeOf(testIndex.find(points(row, 2_000))), row.slice(0, 10)).to.equal('OK');
  });
  it('a query that is blank or too long is rejected', async () => {
    for (const query of ['', ' \t\n', '\u00a0\u3000', '\u200b\u0007', points('ab ', 2_001)])
      expect(await codeOf(testIndex.find(query)), JSON.stringify(query.slice(0, 10))).to.equal('INVALID_ARGUMENT');
  });
  it('invalid filters, limits, languages and seeds are rejected', async () => {
    const bad = [
      { sport: 'chess' },
      { sport: 'toString' },
      { sport: '' },
      { category: '__proto__' },
      { publisherId: '*' },
      { publisherId: '' },
      { limit: 51 },
      { limit: -1 },
    ];
    for (const request of bad) {
      expect(await codeOf(testIndex.find('fox', request)), JSON.stringify(request)).to.equal('INVALID_ARGUMENT');
      expect(await codeOf(testIndex.feed(request)), JSON.stringify(request)).to.equal('INVALID_ARGUMENT');
    }
    for (const language of ['', '*', 'en.es', 'x'.repeat(100)])
      expect(await codeOf(testIndex.find('fox', { language })), language).to.equal('INVALID_ARGUMENT');
    for (const seeds of [[], ['vid_1'], ['*'], Array.from({ length: 51 }, newId)])
      expect(await codeOf(testIndex.recommend(seeds))).to.equal('INVALID_ARGUMENT');
  });
  it('cursors that are forged, of another query or malformed are rejected', async () => {
    const { nextCursor } = await testIndex.find('fox', { limit: 1 });
    const feed = await testIndex.feed({ limit: 1 });
    const [text = '', signature = ''] = nextCursor.split('.');
    const state = JSON.parse(Buffer.from(text, 'base64url').toString()) as { position: object };
    const changed = Buffer.from(JSON.stringify({ ...state, position: { ...state.position, at: 0 } })).toString(
      'base64url',
    );
    const forged = [
      `${changed}.${signature}`, `${text}.`, text, `${text}.${signature}.x`, `${text}.${signature}AA`, 'x', '.', '..', '{}', '\u0000',
      'a'.repeat(20_000), Buffer.from('{"position":{}}').toString('base64url'), feed.nextCursor,
    ]; // prettier-ignore
    for (const cursor of forged)
      expect(await codeOf(testIndex.find('fox', { limit: 1, cursor })), cursor.slice(0, 20)).to.equal(
        'INVALID_ARGUMENT',
      );
    expect(await codeOf(testIndex.find('brown', { limit: 1, cursor: nextCursor }))).to.equal('INVALID_ARGUMENT');
    expect(await codeOf(testIndex.find('fox', { limit: 1, cursor: nextCursor, sport: 'golf' }))).to.equal(
      'INVALID_ARGUMENT',
    );
    expect(await codeOf(testIndex.feed({ limit: 1, cursor: nextCursor }))).to.equal('INVALID_ARGUMENT');
    expect(await codeOf(testIndex.find('fox', { limit: 1, cursor: nextCursor }))).to.equal('OK');
  });
});
