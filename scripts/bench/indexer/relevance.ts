/** Ranking quality: ours, and that of a plain `multi_match` over the same fields of the same documents. */
import type { JudgedSet } from './judged-set.ts';
import { corpusOf } from './judged-videos.ts';
import { mean, ndcgAt10 } from './ndcg.ts';
import { documentFor, type BenchIndex } from './bench-index.ts';

const textFields = ['title', 'topics', 'tags', 'summary', 'screen', 'title_in.*', 'summary_in.*', 'text.*'];
type Line = { readonly kind: string; readonly query: string; readonly ours: number; readonly plain: number };

/** Prints nDCG@10 of one set, by kind of query and over all; `every` prints each query too. The index must be empty. */
export async function judge(
  index: BenchIndex,
  set: JudgedSet,
  print: (line: string) => void,
  every: boolean,
): Promise<void> {
  const { graded, videos } = corpusOf(set);
  await index.write(videos.map(({ number, video, publishedAt }) => documentFor(number, video, publishedAt)));
  await index.refresh();
  const lines: Line[] = [];
  for (const { kind, query, grades } of graded) {
    const ours = ndcgAt10(await ourSearch(index, query), grades);
    lines.push({ kind, query, ours, plain: ndcgAt10(await plainSearch(index, query), grades) });
  }
  print(`nDCG@10, ${set.name}: ${graded.length} queries over ${videos.length} videos`);
  for (const kind of new Set(lines.map((line) => line.kind))) {
    const ofKind = lines.filter((line) => line.kind === kind);
    print(row(kind, ofKind));
    if (every)
      for (const { query, ours, plain } of ofKind) print(`    ${query}: ${ours.toFixed(3)} ${plain.toFixed(3)}`);
  }
  print(row('all', lines));
}

async function ourSearch({ discovery }: BenchIndex, query: string): Promise<string[]> {
  const filters = {};
  const { hits } = await discovery.search({ query, filters, language: undefined, limit: 10, cursor: '' });
  return hits.map(({ item }) => item.videoId ?? '');
}

async function plainSearch({ search, alias }: BenchIndex, query: string): Promise<string[]> {
  const matched = { multi_match: { query, fields: textFields, type: 'best_fields' } };
  const body = { size: 10, _source: false, query: { bool: { filter: [{ term: { live: true } }], must: [matched] } } };
  const path = `/${alias}/_search`;
  const { hits } = await search.request<{ hits: { hits: { _id: string }[] } }>({ method: 'POST', path, body });
  return hits.hits.map(({ _id }) => _id);
}

function row(name: string, lines: readonly Line[]): string {
  const [ours, plain] = [mean(lines.map((line) => line.ours)), mean(lines.map((line) => line.plain))];
  return `${name.padEnd(16)} ${String(lines.length).padStart(3)} queries   ours ${ours.toFixed(3)}   multi_match ${plain.toFixed(3)}`;
}
