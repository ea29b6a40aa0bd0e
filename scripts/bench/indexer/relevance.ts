/**
 * Ranking quality over the judged set: the search by words alone, and by words and meaning; the second that a hit leads
 * to; and what is recommended "like this".
 */
import type { Embedder } from '@vds/chassis/embeddings/embedder';
import type { Discovery } from '@vds/indexer/outbound/discovery';
import type { BenchIndex } from './bench-index.ts';
import { gradesOf, languages, likePairs, partOf, queries, videoOf } from './judged-set.ts';
import type { Grades, MomentQuery, Part, VideoQuery } from './judged-set.ts';
import { judgedDocuments, judgedIds } from './judged-videos.ts';
import { mean, ndcgAt10 } from './ndcg.ts';

/** The ids of the first ten, best first. */
type Ranker = (query: string) => Promise<readonly string[]>;
type Rankers = Readonly<Record<string, Ranker>>;
type Line = { readonly kind: string; readonly part: Part; readonly label: string; readonly values: readonly number[] };
type Judging = {
  readonly index: BenchIndex;
  readonly embedder: Embedder;
  readonly print: (line: string) => void;
  /** Prints each query too. */
  readonly every: boolean;
};

const RIGHT_SECOND_DEPTH = 5;
const parts: readonly Part[] = ['tuning', 'held-out'];

/**
 * Fills an empty index, and prints all figures, of each part of the set.
 * @throws Error if the search is not by meaning
 */
export async function judge({ index, embedder, print, every }: Judging): Promise<void> {
  await index.write(await judgedDocuments(embedder, new Date()));
  await index.refresh();
  const texts = queries.map(({ query }) => query);
  await embedder.embed(texts, 'query'); // so that no search waits for them until it is by words alone
  const { words, discovery: fused } = index;
  const rankers = { words: rankerOf(words), fused: rankerOf(fused) };
  print('nDCG@10');
  table(await linesOf(queries.filter((query) => query.kind !== 'moment'), rankers), Object.keys(rankers), print, every); // prettier-ignore
  print('nDCG@10 of recommendations like a video');
  table(await likeLines(fused), ['recommended'], print, every);
  print(`Recall@${RIGHT_SECOND_DEPTH} of the right video, and of the right second, by language of the query`);
  const moments = queries.filter((query) => query.kind === 'moment');
  const seconds: Line[] = [];
  for (const query of moments) seconds.push(await momentLine(fused, query));
  table(seconds, ['video', 'second'], print, every);
  const byOrigin = seconds.map((line, at) => ({ ...line, kind: isInOwnLanguage(moments[at]) ? 'own' : 'other' }));
  print('The same by whether the video is in the language of the query');
  table(byOrigin, ['video', 'second'], print, false);
  if (fused.describeMeaning() !== 'words and meaning') throw new Error('OpenSearch has no k-NN plug-in, or failed');
}

async function linesOf(asked: readonly VideoQuery[], rankers: Rankers): Promise<readonly Line[]> {
  const lines: Line[] = [];
  for (const query of asked) {
    const { id, kind } = query;
    const grades = gradesOf(query);
    const values: number[] = [];
    for (const rank of Object.values(rankers)) values.push(gain(await rank(query.query), grades));
    lines.push({ kind, part: partOf(id), label: `${id}: ${query.query}`, values });
  }
  return lines;
}

async function likeLines({ recommend }: Discovery): Promise<readonly Line[]> {
  const lines: Line[] = [];
  for (const { id, video, grades } of likePairs()) {
    const seen = [{ videoId: judgedIds.idOfKey(video), share: 1 }];
    const { list } = await recommend({ seen, filters: {}, limit: 10, cursor: '' });
    const found = list.map(({ item }) => item.videoId ?? '');
    lines.push({ kind: 'like', part: partOf(id), label: id, values: [gain(found, grades)] });
  }
  return lines;
}

/** A hit has the right second where it leads into the passage that is asked for. */
async function momentLine({ search }: Discovery, query: MomentQuery): Promise<Line> {
  const { id, language, video, passage } = query;
  const { spoken } = videoOf(video);
  const [from, to] = [spoken[passage]?.[0] ?? 0, spoken[passage + 1]?.[0] ?? Infinity];
  const hits = await firstHits(search, query.query, RIGHT_SECOND_DEPTH);
  const hit = hits.find(({ item }) => item.videoId === judgedIds.idOfKey(video));
  const atMs = hit && secondOf(hit);
  const isRight = atMs !== undefined && atMs >= from * 1_000 && atMs < to * 1_000;
  const label = `${id}: ${query.query} → ${video} ${from} s, found ${atMs === undefined ? '-' : atMs / 1_000}`;
  return { kind: language, part: partOf(id), label, values: [hit ? 1 : 0, isRight ? 1 : 0] };
}

function isInOwnLanguage(query: MomentQuery | undefined): boolean {
  return query !== undefined && videoOf(query.video).language === query.language;
}

function secondOf(hit: Awaited<ReturnType<typeof firstHits>>[number]): number | undefined {
  const atMs = hit.atMs ?? hit.snippets.find((snippet) => snippet.atMs !== undefined)?.atMs;
  return atMs === undefined ? undefined : Number(atMs);
}

function rankerOf({ search }: Discovery): Ranker {
  return async (query) => (await firstHits(search, query, 10)).map(({ item }) => item.videoId ?? '');
}

async function firstHits(search: Discovery['search'], query: string, limit: number) {
  return (await search({ query, filters: {}, language: undefined, limit, cursor: '' })).hits;
}

function gain(found: readonly string[], grades: Grades): number {
  return ndcgAt10(
    found.map((id) => judgedIds.keyOfId(id) ?? ''),
    grades,
  );
}

/** One row a kind and one of all; a column of each part and value. */
function table(lines: readonly Line[], names: readonly string[], print: (line: string) => void, every: boolean): void {
  print(
    `  ${''.padEnd(12)}${parts.map((part) => `${part.padEnd(11)}${names.map((name) => name.padStart(12)).join('')}   `).join('')}`,
  );
  const kinds = [...new Set(lines.map(({ kind }) => kind))];
  const isByLanguage = kinds.every((kind) => (languages as readonly string[]).includes(kind));
  const sorted = isByLanguage ? kinds.toSorted((a, b) => order(a) - order(b)) : kinds;
  for (const kind of sorted) {
    const ofKind = lines.filter((line) => line.kind === kind);
    print(row(kind, ofKind, names.length));
    if (every)
      for (const { part, label, values } of ofKind) print(`      ${values.map(shown).join(' ')} ${part} ${label}`);
  }
  if (kinds.length > 1) print(row('all', lines, names.length));
}

function order(language: string): number {
  return (languages as readonly string[]).indexOf(language);
}

function row(name: string, lines: readonly Line[], columns: number): string {
  const cells = parts.map((part) => {
    const values = lines.filter((line) => line.part === part).map((line) => line.values);
    const means = Array.from({ length: columns }, (_empty, at) => mean(values.map((each) => each[at] ?? 0)));
    return `${String(values.length).padStart(3)} queries${means.map((value) => shown(value).padStart(12)).join('')}  `;
  });
  return `  ${name.padEnd(12)}${cells.join(' ')}`;
}

function shown(value: number): string {
  return Number.isNaN(value) ? '-' : value.toFixed(3);
}
