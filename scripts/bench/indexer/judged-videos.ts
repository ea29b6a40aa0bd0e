/** The documents of the judged videos, as the indexer builds them, with the vectors of their passages. */
import { createHash } from 'node:crypto';
import type { Embedder } from '@vds/chassis/embeddings/embedder';
import { documentOf, type Sentence, type Versioned } from '@vds/indexer/domain/document';
import { idOf } from './bench-index.ts';
import { keyOf, remarks, subjects, videos, type JudgedVideo } from './judged-set.ts';

export type JudgedIds = {
  readonly idOfKey: (key: string) => string;
  /** Undefined for an id that no judged video has. */
  readonly keyOfId: (id: string) => string | undefined;
};
type Passage = { readonly atMs?: number; readonly text: string };

const HOUR_MS = 3_600_000;
const SENTENCE_MS = 4_000;
/** Published within two months. */
const OLDEST_HOURS = 1_440;

const keys = [...videos.keys()];

export const judgedIds: JudgedIds = {
  idOfKey: (key) => idOf(keys.indexOf(key)),
  keyOfId: (id) => keys.find((_key, at) => idOf(at) === id),
};

/** @param embedder undefined: the videos have no vectors */
export async function judgedDocuments(embedder: Embedder | undefined, now: Date): Promise<readonly Versioned[]> {
  const documents: Versioned[] = [];
  for (const [number, video] of [...videos.values()].entries())
    documents.push(await documentFor(number, video, embedder, now));
  return documents;
}

async function documentFor(number: number, video: JudgedVideo, embedder: Embedder | undefined, now: Date) {
  const { language, title, summary, tags, screen = [] } = video;
  const videoId = idOf(number);
  const sport = subjects[video.subject]?.sport;
  const publishedAt = new Date(now.getTime() - hashOf(keyOf(video), OLDEST_HOURS) * HOUR_MS);
  const [lastSecond = 0] = video.spoken.at(-1) ?? [];
  const clip = {
    videoId,
    publisherId: `pub${number}`,
    title,
    summary,
    tags: [...tags],
    languageCode: language,
    durationMs: (lastSecond + 60) * 1_000,
    playbackId: videoId,
    publishedAt: publishedAt.toISOString(),
    ...(sport !== undefined && { sport }),
  };
  const passages = passagesOf(video);
  const vectors = (await embedder?.embed(passages.map(({ text }) => text), 'passage')) ?? []; // prettier-ignore
  const metadata = {
    videoId, attempt: 1, revision: 0, scenes: [], shots: [], intervals: [], labels: [], hasTranscript: true, chapters: [],
      keyMoments: [], topics: [],
    screenTexts: screen.map((text, at) => ({ text, startMs: at * SENTENCE_MS, endMs: (at + 1) * SENTENCE_MS, confidence: 0.9 })),
    passages: vectors.map((vector, at) => {
      const atMs = passages[at]?.atMs;
      return { vector: Buffer.from(vector), ...(atMs !== undefined && { atMs }) };
    }),
    embeddingModel: embedder?.model ?? '',
  }; // prettier-ignore
  const transcript = { language, sentences: sentencesOf(video).flat() };
  const indexable = { videoId, version: 1, live: true, clip, tracks: [] };
  return { version: 1, document: documentOf({ indexable, metadata, transcripts: [transcript], now }) };
}

/** As metadata makes them: one of title, tags and summary, and one of each minute of speech. */
function passagesOf(video: JudgedVideo): readonly Passage[] {
  const spoken = sentencesOf(video).map((sentences): Passage => {
    const text = sentences.map((sentence) => sentence.text).join(' ');
    return { text, ...(sentences[0] && { atMs: sentences[0].atMs }) };
  });
  return [{ text: [video.title, video.tags.join(', '), video.summary].join('. ') }, ...spoken];
}

/** Of each passage: its text between two remarks. */
function sentencesOf({ language, spoken, ...video }: JudgedVideo): readonly (readonly Sentence[])[] {
  const said = remarks[language];
  const first = hashOf(keyOf({ ...video, language }), said.length);
  return spoken.map(([second, text], at) => {
    const remark = (more: number): string => said[(first + at + more) % said.length] ?? '';
    return [remark(0), text, remark(1)].map((sentence, nth) => ({
      atMs: second * 1_000 + nth * SENTENCE_MS,
      text: sentence,
    }));
  });
}

/** From 0 to below `below`, the same in every run. */
function hashOf(text: string, below: number): number {
  return createHash('sha256').update(text).digest().readUInt32BE() % below;
}
