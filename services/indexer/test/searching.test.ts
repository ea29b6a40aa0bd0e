/** Search over a small testIndex: which videos are found, in which order, and with which snippets. */
import { expect } from 'chai';
import { until } from '@vds/testkit/until';
import { openTestIndex, type TestIndex, type IndexedClip } from './test-index.ts';
import { clip, newId } from './videos.ts';

describe('search', function () {
  this.timeout(60_000);
  let testIndex: TestIndex;
  const ids: Record<string, string> = {};
  const video = (name: string, more: Parameters<typeof clip>[1], rest: Omit<IndexedClip, 'clip'> = {}): IndexedClip => {
    const id = (ids[name] ??= newId());
    return { clip: clip(id, { title: name, ...more }), ...rest };
  };
  const names = async (query: string, more: object = {}): Promise<string[]> =>
    (await testIndex.find(query, more)).hits.map(({ item }) => item?.title ?? '');

  before(async () => {
    testIndex = await openTestIndex();
    await testIndex.put(
      video('Wimbledon final highlights', { sport: 'tennis', summary: 'Five sets on grass.' }),
      video('Tagged only', { tags: ['wimbledon', 'grass'] }),
      video('Spoken only', {}, { spoken: { en: [[4_000, 'Nothing.'], [9_000, 'They met at Wimbledon before.']] } }),
      video('Screen only', {}, { screen: [[7_000, 'WIMBLEDON 2026']] }),
      video('Résumé del clásico', { languageCode: 'es', sport: 'soccer', category: 'sports' }, {
        spoken: { es: [[2_000, 'El portero paró el penalti.']], en: [[2_000, 'The goalkeeper saved the penalty.']] },
      }),
      video('決勝戦のハイライト', { languageCode: 'ja' }, { spoken: { ja: [[3_000, '東京の決勝戦は素晴らしい試合でした。']] } }),
      ...Array.from({ length: 20 }, (_empty, at) =>
        video(`filler ${at}`, { tags: ['filler'] }, { screen: [[0, `PAGE ${at}`]], spoken: { en: [[0, `We say ${at}.`]] } }),
      ),
      video('Running goals', { summary: 'She was running <b>fast</b> & "free"' }),
    ); // prettier-ignore
  });
  after(() => testIndex.close());

  it('a search ranks title over tags over text on screen and speech', async () => {
    const found = await names('wimbledon');
    expect(found.slice(0, 2)).to.deep.equal(['Wimbledon final highlights', 'Tagged only']);
    expect(found.slice(2)).to.have.members(['Screen only', 'Spoken only']);
  });
  it('a search finds other forms of a word in the language of its text', async () => {
    expect(await names('goal')).to.include('Running goals');
    expect(await names('penaltis')).to.deep.equal(['Résumé del clásico']);
    expect(await names('saves')).to.deep.equal(['Résumé del clásico']);
  });
  it('a search ignores accents and finds prefixes', async () => {
    expect(await names('resume clasico')).to.deep.equal(['Résumé del clásico']);
    expect((await names('wimb'))[0]).to.equal('Wimbledon final highlights');
  });
  it('a search finds a misspelled word, below exact matches', async () => {
    expect(await names('goalkeepr')).to.deep.equal(['Résumé del clásico']);
    await testIndex.put(video('Winbledon', { summary: 'no such town' }));
    const found = await names('wimbledon');
    expect(found.at(-1)).to.equal('Winbledon');
    expect(found).to.have.length(5);
  });
  it('a search finds words with a mark within them, such as an address, a figure and an abbreviation', async () => {
    const title = 'See example.com: a lead of 10.5 s, 1,000 fans in the U.S.A';
    await testIndex.put(video(title, {}));
    for (const query of ['example.com', '10.5', '1,000', 'u.s.a', 'Example．com', title])
      expect((await names(query))[0], query).to.equal(title);
    await testIndex.hide(ids[title] ?? '', 2);
  });
  it('a search finds text in scripts without spaces', async () => {
    const { hits } = await testIndex.find('決勝戦');
    expect(hits[0]?.item?.title).to.equal('決勝戦のハイライト');
    expect(hits[0]?.snippets.find(({ field }) => field === 'transcript')).to.deep.include({
      language: 'ja',
      atMs: 3_000,
    });
  });
  it('snippets are in the requested language, or else in the spoken one', async () => {
    const transcriptOf = async (query: string, language?: string) =>
      (await testIndex.find(query, language === undefined ? {} : { language })).hits[0]?.snippets.find(
        ({ field }) => field === 'transcript',
      );
    await testIndex.put(video('Both', { languageCode: 'es' }, {
      spoken: { es: [[1_000, 'Un nombre: Zubizarreta.']], en: [[1_000, 'A name: Zubizarreta.']] },
    })); // prettier-ignore
    expect((await transcriptOf('zubizarreta'))?.text).to.equal('Un nombre: Zubizarreta.');
    expect((await transcriptOf('zubizarreta', 'en'))?.text).to.equal('A name: Zubizarreta.');
  });
  it('snippets mark matches in code points and leave the text unchanged', async () => {
    await testIndex.put(video('emoji', { summary: '🎾🎾 backcourt 🏆 <em>backcourt</em>' }));
    const snippet = (await testIndex.find('backcourt')).hits[0]?.snippets[0];
    expect(snippet?.text).to.equal('🎾🎾 backcourt 🏆 <em>backcourt</em>');
    const letters = [...(snippet?.text ?? '')];
    expect(snippet?.marks.map(({ start, end }) => letters.slice(start, end).join(''))).to.deep.equal([
      'backcourt',
      'backcourt',
    ]);
  });
  it('a search prefers complete phrases, and captions in the requested language', async () => {
    await testIndex.put(
      video('words apart', { summary: 'a penalty was given and a shoot began, then out of time' }),
      video('as a phrase', { summary: 'and then came the penalty shoot out of the cup as such' }),
    );
    expect((await names('penalty shoot out'))[0]).to.equal('as a phrase');
  });
  it('a search obeys its filters', async () => {
    expect(await names('final highlights', { sport: 'tennis' })).to.deep.equal(['Wimbledon final highlights']);
    expect(await names('wimbledon', { sport: 'golf' })).to.deep.equal([]);
    expect(await names('clásico', { category: 'sports', publisherId: 'pub1' })).to.deep.equal(['Résumé del clásico']);
    expect(await names('clásico', { publisherId: 'pub2' })).to.deep.equal([]);
  });
  it('a search finds the last words of a three-hour video in many languages, with their second', async () => {
    const lines = (word: string): [number, string][] => [
      ...Array.from({ length: 3_000 }, (_empty, at): [number, string] => [
        at * 3_500,
        `${word} says number ${at} of all.`,
      ]),
      [10_799_000, `${word} quetzalcoatl at last.`],
    ];
    const languages = ['en', 'es', 'fr', 'de', 'it', 'pt'];
    await testIndex.put(
      video('A long game', {}, { spoken: Object.fromEntries(languages.map((one) => [one, lines(one)])) }),
    );
    // The list of languages is cached for a second.
    const snippets = await until(
      async () => {
        const [hit] = (await testIndex.find('quetzalcoatl', { language: 'it' })).hits;
        return hit?.snippets[0]?.language === 'it' && hit.snippets;
      },
      { what: 'the Italian sentence is shown' },
    );
    expect(snippets).to.deep.equal([
      {
        field: 'transcript',
        language: 'it',
        atMs: 10_799_000,
        text: 'it quetzalcoatl at last.',
        marks: [{ start: 3, end: 15 }],
      },
    ]);
  });
  it('a search finds no video that is not live', async () => {
    const id = newId();
    await testIndex.put({ clip: clip(id, { title: 'ephemeral' }) });
    expect(await names('ephemeral')).to.deep.equal(['ephemeral']);
    await testIndex.hide(id, 2);
    expect(await names('ephemeral')).to.deep.equal([]);
  });
});
