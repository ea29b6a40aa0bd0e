/** The document of a video in the index, or its tombstone if it is not live. */
import type { IndexableOut } from '@vds/proto/generated/vds/catalog/v1/Indexable.ts';
import type { Item } from '@vds/proto/generated/vds/indexer/v1/Item.ts';
import type { MetadataOut } from '@vds/proto/generated/vds/metadata/v1/Metadata.ts';
import { fieldOf, type LanguageField } from './languages.ts';
import { vectorField } from './mapping.ts';
import { momentFieldsOf, type MomentFields } from './moments.ts';
import { normalizeText } from './normalize-text.ts';
import { stamp } from './stamp.ts';

export type Sentence = { readonly atMs: number; readonly text: string };
export type Transcript = { readonly language: string; readonly sentences: readonly Sentence[] };

type ByLanguage = Partial<Record<LanguageField, readonly string[]>>;

export type LiveDocument = Partial<MomentFields> & {
  readonly video_id: string;
  readonly live: true;
  readonly changed_at: string;
  readonly publisher_id: string;
  readonly published_at: string;
  /** Orders feeds: when it was published, in ms, a little later with a sport. */
  readonly feed_at: number;
  /** Orders the feed of a sport: videos that name it before those whose words indicate it. */
  readonly sport_feed_at: number;
  readonly sport?: string;
  /** Sports that its words indicate, where the partner named none: it comes last in their feeds. */
  readonly inferred_sports: readonly string[];
  readonly category?: string;
  readonly language: string;
  readonly caption_languages: readonly string[];
  readonly title: string;
  readonly topics: readonly string[];
  readonly tags: readonly string[];
  readonly summary?: string;
  readonly screen: readonly string[];
  readonly title_in: ByLanguage;
  readonly summary_in: ByLanguage;
  readonly text: ByLanguage;
  readonly passages: readonly Passage[];
  /** The vector of the video as a whole, for recommendations: `_source` has no passages. */
  readonly whole?: Whole;
  readonly item: Item;
};
/** A vector, in the field of its model, and the second that it is about, if it is not about the whole video. */
export type Passage = { readonly at_ms?: number; readonly [vectorField: string]: number | readonly number[] };
/** In the field of its model, as base64 of its bytes. */
export type Whole = { readonly field: string; readonly vector: string };
export type Tombstone = { readonly video_id: string; readonly live: false; readonly changed_at: string };
export type VideoDocument = LiveDocument | Tombstone;
/** A document with catalog's version: an older one never replaces a newer. */
export type Versioned = { readonly version: number; readonly document: VideoDocument };

/**
 * Limits of the characters (UTF-16 units) of one language's sentences and of the text on screen: about 65,000 English
 * words, or seven hours of speech. Text beyond them is not searchable.
 */
export const TEXT_LIMIT = 400_000;
const SCREEN_LIMIT = 60_000;
const TOPIC_LIMIT = 20;
const SENTENCE_LIMIT = 4_000;
/** Of one video. */
export const PASSAGE_LIMIT = 64;
/**
 * A sport makes a video as much newer as one that counts half after three days must be to count a tenth more. As all
 * videos age alike, their order never changes: it is stored.
 */
const SPORT_ADVANCE_MS = Math.round(3 * 86_400_000 * Math.log2(1.1));
/** About 3,000 years. */
const LAST = 1e14;

type Line = Sentence & { readonly track: number };

type Parts = {
  readonly indexable: IndexableOut;
  readonly metadata: MetadataOut | undefined;
  readonly transcripts: readonly Transcript[];
  readonly now: Date;
};

/** The document of a video; a tombstone without a clip. Searched texts are normalized; `item` has them as given. */
export function documentOf({ indexable, metadata, transcripts, now }: Parts): VideoDocument {
  const { clip, videoId } = indexable;
  if (!indexable.live || !clip) return tombstone(videoId, now);
  const topics = (metadata?.topics ?? []).slice(0, TOPIC_LIMIT).map(({ name }) => name);
  const captionLanguages = transcripts.map(({ language }) => language);
  const field = fieldOf(clip.languageCode);
  const { summary, sport, category, thumbnailUrl, title, tags } = clip;
  const searched = {
    title: normalizeText(title),
    topics: topics.map(normalizeText),
    tags: tags.map(normalizeText),
    ...(summary !== undefined && { summary: normalizeText(summary) }),
  };
  const optional = {
    ...(sport !== undefined && { sport }),
    ...(category !== undefined && { category }),
  };
  const publishedAt = Date.parse(clip.publishedAt);
  const feedAt = publishedAt + (sport === undefined ? 0 : SPORT_ADVANCE_MS);
  return {
    ...optional,
    ...searched,
    video_id: videoId,
    live: true,
    changed_at: now.toISOString(),
    publisher_id: clip.publisherId,
    published_at: clip.publishedAt,
    feed_at: feedAt,
    sport_feed_at: sport === undefined ? feedAt - LAST : feedAt,
    inferred_sports: sport === undefined ? inferredSports(metadata) : [],
    language: clip.languageCode,
    caption_languages: captionLanguages,
    screen: screenOf(metadata),
    title_in: { [field]: [searched.title] },
    summary_in: searched.summary === undefined ? {} : { [field]: [searched.summary] },
    text: textsOf(transcripts),
    passages: passagesOf(metadata),
    ...wholeOf(metadata),
    ...momentFieldsOf(metadata, publishedAt),
    item: {
      videoId,
      publisherId: clip.publisherId,
      title,
      tags,
      languageCode: clip.languageCode,
      durationMs: clip.durationMs,
      playbackId: clip.playbackId,
      publishedAt: clip.publishedAt,
      topics,
      captionLanguages,
      ...optional,
      ...(summary !== undefined && { summary }),
      ...(thumbnailUrl !== undefined && { thumbnailUrl }),
    },
  };
}

function inferredSports(metadata: MetadataOut | undefined): string[] {
  return (metadata?.labels ?? []).flatMap(({ name }) =>
    name.startsWith('sport:') ? [name.slice('sport:'.length)] : [],
  );
}

function passagesOf(metadata: MetadataOut | undefined): Passage[] {
  const { passages = [], embeddingModel: model = '' } = metadata ?? {};
  return passages.slice(0, PASSAGE_LIMIT).flatMap(({ atMs, vector }) => {
    const values = [...new Int8Array(vector)];
    // No direction: OpenSearch rejects it.
    if (values.every((value) => value === 0)) return [];
    return [
      { ...(atMs !== undefined && { at_ms: atMs }), [vectorField({ model, dimensions: values.length })]: values },
    ];
  });
}

function wholeOf(metadata: MetadataOut | undefined): { readonly whole?: Whole } {
  const { passages = [], embeddingModel: model = '' } = metadata ?? {};
  const { vector } = passages.find(({ atMs }) => atMs === undefined) ?? {};
  if (vector === undefined) return {};
  const field = vectorField({ model, dimensions: vector.length });
  return { whole: { field, vector: Buffer.from(vector).toString('base64') } };
}

export function tombstone(videoId: string, changedAt: Date): Tombstone {
  return {
    video_id: videoId,
    live: false,
    changed_at: changedAt.toISOString(),
  };
}

/** Each text once, at its first appearance. */
function screenOf(metadata: MetadataOut | undefined): string[] {
  const first = new Map<string, number>();
  for (const { text, startMs } of metadata?.screenTexts ?? [])
    first.set(text, Math.min(startMs, first.get(text) ?? Number.MAX_SAFE_INTEGER));
  const lines = [...first].map(([text, atMs]) => ({ track: 0, atMs, text }));
  return stamped(
    lines.sort((a, b) => a.atMs - b.atMs),
    SCREEN_LIMIT,
  );
}

/** Lines with their stamps, up to `limit` characters. */
function stamped(lines: readonly Line[], limit: number): string[] {
  const values: string[] = [];
  let size = 0;
  for (const { track, atMs, text } of lines) {
    const trimmed = text.normalize().trim().slice(0, SENTENCE_LIMIT).toWellFormed();
    size += trimmed.length;
    if (size > limit) break;
    if (trimmed !== '') values.push(stamp({ track, atMs: Math.max(0, Math.round(atMs)), text: trimmed }));
  }
  return values;
}

/** Tracks whose languages share an analyzer share its field; the stamp of each sentence has its track. */
function textsOf(transcripts: readonly Transcript[]): ByLanguage {
  const fields: Partial<Record<LanguageField, string[]>> = {};
  for (const [track, { language, sentences }] of transcripts.entries()) {
    const field = fieldOf(language);
    const lines = stamped(
      sentences.map((sentence) => ({ ...sentence, track })),
      TEXT_LIMIT,
    );
    fields[field] = [...(fields[field] ?? []), ...lines];
  }
  return fields;
}
