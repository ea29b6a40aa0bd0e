/** What is shown of a hit: the places where the words were found, with marks and, where it is said or shown, the second. */
import type { Item } from '@vds/proto/generated/vds/indexer/v1/Item.ts';
import type { Snippet } from '@vds/proto/generated/vds/indexer/v1/Snippet.ts';
import { fieldOf, type LanguageField } from './languages.ts';
import { unstamp } from './stamp.ts';

/** Strings that the marks were asked for with; made anew for every question, so that no text can hold them. */
export type MarkTags = { readonly open: string; readonly close: string };
type Mark = { readonly start: number; readonly end: number };
/** Marked values by field, as OpenSearch returns them. */
export type Highlight = Readonly<Record<string, readonly string[]>>;

const longest = 240;
const lead = 80;
const mostSnippets = 4;

type Found = { readonly field: string; readonly snippet: Snippet; readonly weight: number };

const fieldNames: Readonly<Record<string, string>> = { title_in: 'title', summary_in: 'summary', text: 'transcript' };

const order = ['title', 'transcript', 'screen', 'topics', 'tags', 'summary'];

/** At most one snippet a field, the title's first, four in all. */
export function snippetsOf(
  highlight: Highlight,
  tags: MarkTags,
  item: Item,
  preferred: LanguageField | undefined,
): Snippet[] {
  const languages = item.captionLanguages ?? [];
  const all = Object.entries(highlight).flatMap(([name, values]) => bestOf(name, values, tags, languages));
  const rank = ({ snippet }: Found): number => rankOf(snippet.language, item, preferred);
  return order
    .flatMap((field) =>
      all
        .filter((found) => found.field === field)
        .toSorted((a, b) => rank(a) - rank(b) || b.weight - a.weight)
        .slice(0, 1),
    )
    .slice(0, mostSnippets)
    .map(({ snippet }) => snippet);
}

/** The best value of one field. */
function bestOf(name: string, values: readonly string[], tags: MarkTags, languages: readonly string[]): Found[] {
  const [root = ''] = name.split('.');
  const field = fieldNames[root] ?? root;
  const found = values.map((value) => {
    const stamped = unstamp(value);
    const { text, marks } = readMarks(stamped?.text ?? value, tags);
    const language = field === 'transcript' && stamped ? languages[stamped.track] : undefined;
    const snippet = {
      field,
      ...cut(text, marks),
      ...(language !== undefined && { language }),
      ...(stamped && { atMs: stamped.atMs }),
    };
    return { field, snippet, weight: weigh(text, marks) };
  });
  return found.toSorted((a, b) => b.weight - a.weight).slice(0, 1);
}

/** Text without the tags, and where they were, in code points. */
function readMarks(value: string, { open, close }: MarkTags): { text: string; marks: Mark[] } {
  let text = '';
  let length = 0;
  const marks: Mark[] = [];
  for (const [index, part] of value.split(open).entries()) {
    const [marked = '', plain] = index === 0 ? ['', part] : part.split(close);
    const size = [...marked].length;
    if (size > 0) marks.push({ start: length, end: length + size });
    text += marked + (plain ?? '');
    length += size + [...(plain ?? '')].length;
  }
  return { text, marks };
}

/** A window around the first mark, cut at spaces where there are some. */
function cut(text: string, marks: readonly Mark[]): { text: string; marks: Mark[] } {
  const letters = [...text];
  if (letters.length <= longest) return { text, marks: [...marks] };
  const first = marks[0]?.start ?? 0;
  const wanted = Math.max(0, first - lead);
  const space = wanted === 0 ? -1 : letters.indexOf(' ', wanted);
  const from = space >= 0 && space < first ? space + 1 : wanted;
  const to = Math.min(letters.length, from + longest);
  return {
    text: letters.slice(from, to).join(''),
    marks: marks.filter(({ end }) => end <= to).map(({ start, end }) => ({ start: start - from, end: end - from })),
  };
}

/** How much of the question a value holds: different words first, then all of them. */
function weigh(text: string, marks: readonly Mark[]): number {
  const letters = [...text];
  const words = new Set(marks.map(({ start, end }) => letters.slice(start, end).join('').toLowerCase()));
  return words.size * 1_000 + marks.length;
}

/** The language that is shown of several in which the words were found: the asked one, the spoken one, any. */
function rankOf(language: string | undefined, item: Item, preferred: LanguageField | undefined): number {
  const field = fieldOf(language ?? '');
  if (preferred !== undefined && field === preferred) return 0;
  return field === fieldOf(item.languageCode ?? '') ? 1 : 2;
}
