import { expect } from 'chai';
import {
  gradesOf,
  keyOf,
  languages,
  likePairs,
  partOf,
  queries,
  remarks,
  subjects,
  videoOf,
  videos,
  type JudgedVideo,
} from './judged-set.ts';
import { sports } from '@vds/indexer/domain/filters';

const spaced = new Set([
  'en',
  'es',
  'pt',
  'fr',
  'de',
  'it',
  'nl',
  'pl',
  'sv',
  'tr',
  'ru',
  'uk',
  'ar',
  'hi',
  'id',
  'vi',
]);

describe('judged set of the search', () => {
  it('each of 20 languages has at least nine videos and every kind of query', () => {
    expect(languages).to.have.length(20);
    const least = { paraphrase: 2, across: 3, typing: 2, names: 2, words: 2, moment: 5 };
    for (const language of languages) {
      const own = [...videos.values()].filter((video) => video.language === language);
      expect(own.length, language).to.be.at.least(9);
      expect(remarks[language], language).to.have.length(4);
      for (const [kind, count] of Object.entries(least)) {
        const asked = queries.filter((query) => query.kind === kind && query.language === language);
        expect(asked.length, `${kind} in ${language}`).to.be.at.least(count);
      }
    }
  });

  it('a video has three to five passages, at least a minute apart', () => {
    for (const [key, { spoken }] of videos) {
      expect(spoken.length, key).to.be.within(3, 5);
      for (const [at, [second]] of spoken.slice(1).entries())
        expect(second - (spoken[at]?.[0] ?? 0), key).to.be.at.least(60);
    }
  });

  it('every reference is to a video, passage, subject or sport that exists', () => {
    for (const [name, { sport, related }] of Object.entries(subjects)) {
      for (const other of related) expect(subjects[other]?.related, `${name} ↔ ${other}`).to.include(name);
      if (sport !== undefined) expect(sports).to.include(sport);
    }
    for (const { subject } of videos.values()) expect(subjects).to.have.property(subject);
    for (const query of queries) {
      if (query.kind === 'across') expect(subjects, query.id).to.have.property(query.subject);
      else expect(videoOf(query.video), query.id).to.be.an('object');
      if (query.kind === 'moment') expect(videoOf(query.video).spoken[query.passage], query.id).to.be.an('array');
      else expect([...gradesOf(query).values()], query.id).to.include(2);
    }
    for (const { grades, video } of likePairs()) {
      expect(grades.has(video), video).to.equal(false);
      expect([...grades.values()], video).to.include(2);
    }
  });

  it('no id and no text of a query occurs twice', () => {
    expect(new Set(queries.map(({ id }) => id))).to.have.property('size', queries.length);
    const texts = queries.map(({ kind, language, query }) => `${kind} ${language} ${query}`);
    expect(new Set(texts)).to.have.property('size', queries.length);
  });

  it('a query across languages is for a subject without a video in its own language', () => {
    for (const query of queries)
      if (query.kind === 'across')
        expect(videos.has(keyOf({ subject: query.subject, language: query.language })), query.id).to.equal(false);
  });

  it('a paraphrase shares no word with its video', () => {
    for (const query of queries.filter(({ kind }) => kind === 'paraphrase')) {
      if (query.kind !== 'paraphrase') continue;
      const video = videoOf(query.video);
      expect(query.query).not.to.equal(video.title);
      expect(video.language, query.id).to.equal(query.language);
      if (!spaced.has(query.language)) continue;
      const words = stems(textOf(video));
      const shared = [...stems(query.query)].filter((stem) => words.has(stem));
      expect(shared, query.id).to.deep.equal([]);
    }
  });

  it('a name, and a text on screen, is that of one video alone', () => {
    for (const query of queries) {
      if (query.kind !== 'names' && query.kind !== 'screen') continue;
      const [longest = ''] = query.query
        .toLowerCase()
        .split(' ')
        .toSorted((a, b) => b.length - a.length);
      const having = [...videos].filter(([, video]) => textOf(video).toLowerCase().includes(longest));
      expect(having.map(([key]) => key), query.id).to.deep.equal([query.video]); // prettier-ignore
    }
  });

  it('the halves never change, and both have every kind and language', () => {
    const heldOut = queries.filter(({ id }) => partOf(id) === 'held-out');
    expect(heldOut.length / queries.length).to.be.within(0.4, 0.6);
    for (const kind of new Set(queries.map((query) => query.kind)))
      expect(heldOut.filter((query) => query.kind === kind).length, kind).to.be.at.least(4);
    for (const language of languages) {
      const moments = queries.filter((query) => query.kind === 'moment' && query.language === language);
      const parts = moments.map(({ id }) => partOf(id));
      expect(parts.filter((part) => part === 'held-out').length, language).to.be.at.least(2);
      expect(parts.filter((part) => part === 'tuning').length, language).to.be.at.least(2);
    }
    expect(['paraphrase-en-1', 'across-ja-2', 'names-ko-1', 'moment-th-3'].map(partOf)).to.deep.equal([
      'tuning',
      'held-out',
      'held-out',
      'tuning',
    ]);
  });
});

function textOf({ title, summary, tags, spoken, screen = [] }: JudgedVideo): string {
  return [title, summary, ...tags, ...spoken.map(([, text]) => text), ...screen].join(' ');
}

/** The first five letters of its words of four letters and more. */
function stems(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? [];
  return new Set(
    words.map((word) => [...word]).flatMap((word) => (word.length < 4 ? [] : [word.slice(0, 5).join('')])),
  );
}
