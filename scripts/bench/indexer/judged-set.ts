/**
 * The judged set of `npm run bench -- search`: videos in 20 languages, and queries with the grades of the videos that
 * they should find. judged/README.md says how it was made, and what it cannot tell.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

export const languages = [
  ...['en', 'es', 'pt', 'fr', 'de', 'it', 'nl', 'pl', 'sv', 'tr'],
  ...['ru', 'uk', 'ar', 'hi', 'id', 'vi', 'th', 'ja', 'ko', 'zh'],
] as const;
export type Language = (typeof languages)[number];

/** What several videos are about, each in another language. */
export type Subject = {
  /** As of catalog, if it has the sport. */
  readonly sport?: string;
  readonly related: readonly string[];
};
export type JudgedVideo = {
  readonly subject: string;
  readonly language: Language;
  readonly title: string;
  readonly summary: string;
  readonly tags: readonly string[];
  /** Passages at least a minute apart, each with the second where it begins. */
  readonly spoken: readonly (readonly [second: number, text: string])[];
  /** Texts in the picture. */
  readonly screen?: readonly string[];
};

type Asked = { readonly id: string; readonly language: Language; readonly query: string };
/** `across`: no video of the subject is in the query's language. */
export type AcrossQuery = Asked & { readonly kind: 'across'; readonly subject: string };
export type OwnLanguageQuery = Asked & {
  readonly kind: 'paraphrase' | 'typing' | 'words' | 'begun';
  readonly video: string;
};
/** Of words that one video has. */
export type ExactQuery = Asked & { readonly kind: 'names' | 'screen'; readonly video: string };
/** Asks for one passage. */
export type MomentQuery = Asked & { readonly kind: 'moment'; readonly video: string; readonly passage: number };
export type VideoQuery = AcrossQuery | OwnLanguageQuery | ExactQuery;
export type JudgedQuery = VideoQuery | MomentQuery;

/** 2: right, 1: related; all other videos are 0. By key of the video. */
export type Grades = ReadonlyMap<string, 1 | 2>;
/** Only the held-out part decides; weights are tuned on the other. */
export type Part = 'tuning' | 'held-out';

export const subjects = JSON.parse(read('subjects.json')) as Readonly<Record<string, Subject>>;
export const videos: ReadonlyMap<string, JudgedVideo> = new Map(
  lines<JudgedVideo>('videos.jsonl').map((video) => [keyOf(video), video]),
);
export const queries = lines<JudgedQuery>('queries.jsonl');
/** What commentators say at any event: around every passage. */
export const remarks = JSON.parse(read('remarks.json')) as Readonly<Record<Language, readonly string[]>>;

/** Such as `free-kick.fr`. */
export function keyOf({ subject, language }: Pick<JudgedVideo, 'subject' | 'language'>): string {
  return `${subject}.${language}`;
}

/** By the hash of the id: the same for ever, whatever is added to the set. */
export function partOf(id: string): Part {
  return (createHash('sha256').update(id).digest()[0] ?? 0) % 2 === 0 ? 'tuning' : 'held-out';
}

export function gradesOf(query: VideoQuery): Grades {
  if (query.kind === 'across') return gradesOfSubject(query.subject);
  if (query.kind === 'names' || query.kind === 'screen') return new Map([[query.video, 2]]);
  const { subject, language } = videoOf(query.video);
  const around = [...gradesOfSubject(subject)].filter(
    ([key, grade]) => grade === 2 || videoOf(key).language === language,
  );
  return new Map([...around.map(([key]) => [key, 1] as const), [query.video, 2]]);
}

/** Pairs "like this": a video, and the grades of those that are similar. */
export function likePairs(): readonly { readonly id: string; readonly video: string; readonly grades: Grades }[] {
  return [...videos].flatMap(([key, { subject }]) => {
    const grades = new Map([...gradesOfSubject(subject)].filter(([other]) => other !== key));
    return grades.size === 0 ? [] : [{ id: `like-${key}`, video: key, grades }];
  });
}

/** @throws Error for a key that no video has */
export function videoOf(key: string): JudgedVideo {
  const video = videos.get(key);
  if (!video) throw new Error(`there is no judged video ${key}`);
  return video;
}

/** Its videos 2, those of related subjects 1. */
function gradesOfSubject(subject: string): Grades {
  const related = subjects[subject]?.related ?? [];
  const graded = [...videos].flatMap(([key, video]): (readonly [string, 1 | 2])[] => {
    if (video.subject === subject) return [[key, 2]];
    return related.includes(video.subject) ? [[key, 1]] : [];
  });
  return new Map(graded);
}

function lines<Line>(name: string): readonly Line[] {
  return read(name)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}

function read(name: string): string {
  return readFileSync(new URL(`judged/${name}`, import.meta.url), 'utf8');
}
