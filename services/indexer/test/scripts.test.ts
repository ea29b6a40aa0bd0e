/** Search of titles, tags and summaries in every script and Unicode form, whatever their declared language. */
import { expect } from 'chai';
import type { Clip } from '@vds/proto/generated/vds/catalog/v1/Clip.ts';
import { openTestIndex, type TestIndex } from './test-index.ts';
import { clip, newId } from './videos.ts';

type Sample = { readonly title: string; readonly words: readonly string[]; readonly other: string };

/** Titles, words in them, and a word that is in none of them. */
const samples: Readonly<Record<string, Sample>> = {
  ja: {
    title: '東京マラソン決勝レースの名場面',
    words: ['マラソン', '決勝', 'レース', '名場面', '東京', '決', '東京マラソン'],
    other: '野球',
  },
  zh: {
    title: '北京国际足球锦标赛精彩集锦',
    words: ['足球', '锦标赛', '精彩', '国际足球锦标赛精彩集锦'],
    other: '篮球',
  },
  ko: {
    title: '챔피언스리그 결승전에서 나온 극적인 골',
    words: ['결승전', '리그', '챔피언스', '골', '극적'],
    other: '야구',
  },
  th: { title: 'ไฮไลท์ฟุตบอลโลกนัดชิงชนะเลิศ', words: ['ฟุตบอล', 'โลก', 'ชนะเลิศ', 'ฟุตบอลโลก'], other: 'มวยไทย' },
  lo: { title: 'ການແຂ່ງຂັນບານເຕະຊິງແຊ້ມໂລກ', words: ['ບານເຕະ', 'ແຂ່ງຂັນ', 'ໂລກ', 'ຊິງແຊ້ມ'], other: 'ມວຍລາວ' },
  km: { title: 'ការប្រកួតបាល់ទាត់ពិភពលោក', words: ['បាល់ទាត់', 'ប្រកួត', 'ពិភពលោក', 'ពិភព\u200Bលោក'], other: 'ប្រដាល់' },
  my: { title: 'ကမ္ဘာ့ဖလားဘောလုံးပြိုင်ပွဲ', words: ['ဘောလုံး', 'ဖလား', 'ပြိုင်ပွဲ', 'ကမ္ဘာ့ဖလား'], other: 'လက်ဝှေ့' },
};

/** What a partner wrote, and what viewers type. */
const forms: readonly (readonly [what: string, given: string, queries: readonly string[], more?: Partial<Clip>])[] = [
  ['decomposed Latin text', 'Rodri\u0301guez sen\u0303ala el ce\u0301sped', ['rodríguez', 'señala', 'césped', 'rodri\u0301guez']],
  ['composed Latin text', 'Übertragung aus Malmö', ['u\u0308bertragung', 'malmo\u0308', 'Malmö']],
  ['decomposed French text', 'Les beaute\u0301s cache\u0301es', ['beauté', 'cachée'], { languageCode: 'fr' }],
  ['decomposed Vietnamese text', 'Trận đấu kịch tính'.normalize('NFD'), ['trận', 'kịch tính', 'đấu']],
  ['decomposed Korean text', '올림픽 개막식'.normalize('NFD'), ['올림픽', '개막', '개막식'.normalize('NFD')]],
  ['decomposed Japanese text', 'ガンバのゴール'.normalize('NFD'), ['ガンバ', 'ゴール', 'ゴール'.normalize('NFD')]],
  ['half-width Japanese text', 'ﾊﾟﾗﾘﾝﾋﾟｯｸ ﾀﾞｲｼﾞｪｽﾄ', ['パラリンピック', 'ダイジェスト', 'ﾊﾟﾗﾘﾝﾋﾟｯｸ']],
  ['full-width Japanese text', 'アイスホッケー', ['ｱｲｽﾎｯｹｰ', 'ﾎｯｹｰ']],
  ['full-width Latin text', 'ＳＵＰＥＲＣＵＰ ２０２７', ['supercup', '2027', 'ＳＵＰＥＲＣＵＰ']],
  ['a ligature', 'Die Kunst des Shu\uFB04eboards', ['shuffleboards']],
  ['a soft hyphen', 'Welt\u00ADmeister\u00ADschaft', ['weltmeisterschaft']],
  ['the Thai vowel AM', 'แข่งเรือในแม่น\u0E49\u0E33', ['น\u0E49\u0E33', 'น\u0E4D\u0E49\u0E32', 'น\u0E49\u0E4D\u0E32']],
  ['Khmer text with zero-width spaces', 'ពិភព\u200Bលោក\u200Bបាល់ទាត់', ['ពិភពលោក', 'បាល់ទាត់', 'លោក\u200Bបាល់']],
  ['the Thai vowel AM in two parts', 'ทำบุญตักบาตร'.replace('\u0E33', '\u0E4D\u0E32'), ['ทำบุญ']],
  ['a file name', 'TeamA_vs_TeamB_2026-11-28_highlights', ['highlights', 'teamb', 'TeamA vs TeamB', '2026', 'teamA_vs_teamB']],
  ['a name with underscores', 'GOAL_of_the_week', ['goal', 'goals', 'week', 'goal of the week']],
  ['a recorder’s name', 'IMG_2041_Final-Cut_v2.mp4', ['2041', 'v2', 'final cut', 'finalcut']],
  ['a hyphen between letter and number', 'U-17 World Cup', ['u17', 'U-17', 'u 17']],
  ['a slash between letters', 'AC/DC live', ['acdc', 'AC/DC', 'ac dc']],
  ['a hyphen between words', 'The semi-final', ['semifinal', 'semi-final', 'SEMIFINAL']],
  ['initials', 'A.C. Milan and R&B', ['ac', 'rb', 'A.C.', 'R&B']],
  ['Arabic with hamza', 'أبطال كأس آسيا', ['ابطال', 'كاس', 'اسيا', 'أبطال', 'كأس']],
  ['Arabic with vowel signs', 'لاعب مصطفى يُسجِّل', ['يسجل', 'مصطفي', 'يُسجِّل']],
  ['Arabic with its own digits', 'مباراة ٢٠٢٦', ['2026', '٢٠٢٦', 'مباراه']],
  ['Persian', 'لیگ برتر ۱۴۰۴', ['ليگ', '1404', 'لیگ']],
  ['Cyrillic', 'Зелёный лёд, Київ', ['лед', 'зеленый', 'лёд', 'киів', 'ЛЕД']],
  ['Hebrew with points', 'גָּבִיעַ לְמַכַּבִּי', ['גביע', 'למכבי', 'גָּבִיעַ']],
  ['Greek with accents', 'Γκολ ΆΝΩ από τον Άρη', ['ανω', 'απο', 'άνω']],
  ['Hindi with nuktas', 'ज़ोर का गोल', ['जोर', 'ज़ोर']],
]; // prettier-ignore

describe('search in every script', function () {
  this.timeout(60_000);
  let testIndex: TestIndex;
  const put = async (more: Partial<Clip>): Promise<string> => {
    const id = newId();
    await testIndex.put({ clip: clip(id, more) });
    return id;
  };
  const find = async (query: string): Promise<string[]> =>
    (await testIndex.find(query, { limit: 50 })).hits.map(({ item }) => item?.videoId ?? '');
  before(async () => {
    testIndex = await openTestIndex();
    await put({ title: 'Kettlebell swings', tags: ['gym'], summary: 'Nothing else.' });
  });
  after(() => testIndex.close());

  for (const [language, { title, words, other }] of Object.entries(samples))
    it(`words of ${language} are found in title, tags and summary, whatever the language of the video`, async () => {
      const ids = [
        await put({ title }),
        await put({ title, languageCode: language }),
        await put({ title: 'Tagged', tags: ['sport', title], languageCode: 'fr' }),
        await put({ title: 'Summed up', summary: `In short: ${title}.` }),
      ];
      for (const word of words) expect(await find(word), word).to.include.members(ids);
      expect(await find(other), other).not.to.include.oneOf(ids);
    });

  it('matches in scripts without spaces are marked in the text as it was given', async () => {
    const title: string = 'ชมการแข่งขันว่ายน\u0E49\u0E33 ວ່າຍນໍ້າ ﾌﾟｰﾙ';
    const id = await put({ title });
    for (const [query, marked] of [
      ['ว่ายน\u0E49\u0E33', 'ว่ายน\u0E49\u0E33'],
      ['ວ່າຍ', 'ວ່າຍ'],
      ['プール', 'ﾌﾟｰﾙ'],
    ] as const) {
      const hit = (await testIndex.find(query)).hits.find(({ item }) => item?.videoId === id);
      const snippet = hit?.snippets.find(({ field }) => field === 'title');
      expect(snippet?.text, query).to.equal(title);
      const marks = (snippet?.marks ?? []).map(({ start, end }) => [...title].slice(start, end).join(''));
      expect(marks.join(''), query).to.equal(marked);
    }
  });

  for (const [what, given, queries, more] of forms)
    it(`${what} is found in every Unicode form and returned as it was given`, async () => {
      const titled = await put({ title: given, ...more });
      const tagged = await put({ title: 'Tagged', tags: [given], summary: given });
      for (const query of queries) {
        const { hits } = await testIndex.find(query, { limit: 50 });
        const byId = new Map(hits.map((hit) => [hit.item?.videoId, hit]));
        expect(byId.get(titled)?.item?.title, query).to.equal(given);
        expect(
          byId.get(titled)?.snippets.map(({ text }) => text),
          query,
        ).to.include(given);
        expect(byId.get(tagged)?.item, query).to.deep.include({ tags: [given], summary: given });
      }
    });
});
