import { expect } from 'chai';
import { AppError, notFound } from '@vds/chassis/errors';
import { makeDocument, type DocumentPorts } from '../../src/domain/jobs/make-document.ts';
import type { Description, Transcript } from '../../src/domain/model.ts';
import { stopWordsOf } from '../../src/outbound/stop-words.ts';

/** Commentary on one match by three publishers, and what captions make of it in English. */
const languages: Readonly<
  Record<string, { readonly title: string; readonly spoken: string; readonly english: string }>
> = {
  en: {
    title: 'Late drama',
    spoken: 'The Champions Cup final goes to a penalty shootout. The goalkeeper saves. A penalty shootout decides it.',
    english: '',
  },
  es: {
    title: 'Drama final',
    spoken: 'La final de la Copa de Campeones se decide desde los once metros. El guardameta la detiene.',
    english: 'The Champions Cup final comes to a penalty shootout. The goalkeeper stops it. What a penalty shootout.',
  },
  ja: {
    title: '劇的な幕切れ',
    spoken: 'チャンピオンズカップ決勝は激しい戦いになりました。守護神が止めました。',
    english: 'The final of the Champions Cup is a penalty shootout. The goalkeeper has saved the penalty shootout.',
  },
};

function transcriptOf(language: string, text: string): Transcript {
  const sentences = text.split(/(?<=[.。]) ?/).filter((sentence) => sentence !== '');
  return {
    language,
    sentences: sentences.map((sentence, at) => ({ startMs: at * 5_000, endMs: at * 5_000 + 4_000, text: sentence })),
  };
}

async function documentOf(language: string, more: Partial<DocumentPorts> = {}, about: Partial<Description> = {}) {
  const { title = '', spoken = '', english = '' } = languages[language] ?? {};
  const ports: DocumentPorts = {
    analyses: async () => [
      { version: 1, span: { startMs: 0, endMs: 30_000 }, shots: [], seconds: [], texts: [], intervals: [] },
    ],
    description: async () => ({
      ...{ title, tags: [], languageCode: language },
      ...(english !== '' && { englishKey: 'english' }),
      ...about,
    }),
    transcript: async (key) => (key === 'english' ? transcriptOf('en', english) : transcriptOf(language, spoken)),
    stopWords: stopWordsOf,
    embed: async () => undefined,
    ...more,
  };
  return await makeDocument(ports, { durationMs: 30_000, transcriptKey: 'spoken' });
}

describe('topics across languages', () => {
  it('videos of one event in three languages share topics, and keep those of their own language', async () => {
    const [english, spanish, japanese] = await Promise.all(['en', 'es', 'ja'].map((language) => documentOf(language)));
    const shared = english?.topics
      .map(({ name }) => name)
      .filter((name) => [spanish, japanese].every((other) => other?.topics.some((topic) => topic.name === name)));
    expect(shared).to.include('penalty shootout');
    expect(spanish?.topics.map(({ name }) => name)).to.include('drama final');
    expect(japanese?.topics.some(({ name }) => name.includes('決勝'))).to.equal(true);
    for (const document of [english, spanish, japanese]) {
      expect(document?.topics.length).to.be.within(2, 20);
      const names = document?.topics.map(({ name }) => name) ?? [];
      expect(new Set(names).size).to.equal(names.length);
      const scores = document?.topics.map(({ score }) => score) ?? [];
      expect(scores).to.deep.equal([...scores].sort((a, b) => b - a));
    }
  });

  it('the sport of each is the same, though the vocabulary has no words of two of the languages', async () => {
    for (const language of ['en', 'es', 'ja']) {
      const { labels } = await documentOf(language);
      expect(
        labels.map(({ name }) => name),
        language,
      ).to.include('sport:soccer');
    }
    const { labels } = await documentOf('ja', {}, { sport: 'tennis' });
    expect(labels.filter(({ name }) => name.startsWith('sport:'))).to.have.length(1);
  });

  it('an English translation that is gone is left out, and one that cannot be read fails the job', async () => {
    const gone = (error: AppError): Partial<DocumentPorts> => ({
      transcript: async (key) => {
        if (key === 'english') throw error;
        return transcriptOf('ja', languages['ja']?.spoken ?? '');
      },
    });
    const { topics, hasTranscript } = await documentOf('ja', gone(notFound('the track')));
    expect(hasTranscript).to.equal(true);
    expect(topics.map(({ name }) => name)).not.to.include('penalty shootout');
    const failure = await documentOf('ja', gone(new AppError('UNAVAILABLE', 'the storage is away'))).then(
      () => undefined,
      (error: unknown) => (error as AppError).code,
    );
    expect(failure).to.equal('UNAVAILABLE');
  });
});
