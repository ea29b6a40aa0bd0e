/** Snippets of a hit: texts with their matches marked and, of speech and text on screen, the second. */
import type { Item } from '@vds/proto/generated/vds/indexer/v1/Item.ts';
import type { Snippet } from '@vds/proto/generated/vds/indexer/v1/Snippet.ts';
import { fieldOf, type LanguageField } from './languages.ts';
import { restoreText, type Mark, type MarkedText } from './normalize-text.ts';
import { decodeTimestamp } from './stamp.ts';

/** The highlighter's tags; random for every request, so that no text can contain them. */
export type MarkTags = { readonly open: string; readonly close: string };
/** Highlighted values by field, as OpenSearch returns them. */
export type Highlight = Readonly<Record<string, readonly string[]>>;

const MAX_LENGTH = 240;
const LEAD = 80;
const MAX_SNIPPETS = 4;

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
  const all = Object.entries(highlight).flatMap(([name, values]) => bestOf(name, values, tags, item));
  const rank = ({ snippet }: Found): number => rankOf(snippet.language, item, preferred);
  return order
    .flatMap((field) =>
      all
        .filter((found) => found.field === field)
        .toSorted((a, b) => rank(a) - rank(b) || b.weight - a.weight)
        .slice(0, 1),
    )
    .slice(0, MAX_SNIPPETS)
    .map(({ snippet }) => snippet);
}

/** The best value of one field. */
function bestOf(name: string, values: readonly string[], tags: MarkTags, item: Item): Found[] {
  const [root = ''] = name.split('.');
  const field = fieldNames[root] ?? root;
  const found = values.map((value) => {
    const stamped = decodeTimestamp(value);
    const marked = readMarks(stamped?.text ?? value, tags);
    const { text, marks } = stamped ? marked : restoreText(marked, givenTexts(item));
    const language = field === 'transcript' && stamped ? item.captionLanguages?.[stamped.track] : undefined;
    const snippet = {
      field,
      ...cut(text, marks),
      ...(language !== undefined && { language }),
      ...(stamped && { atMs: stamped.atMs }),
    };
    return { field, snippet, weight: weightOf(text, marks) };
  });
  return found.toSorted((a, b) => b.weight - a.weight).slice(0, 1);
}

function givenTexts({ title = '', summary = '', tags = [], topics = [] }: Item): readonly string[] {
  return [title, summary, ...tags, ...topics];
}

/** Text without the tags, and where they were, in code points. */
function readMarks(value: string, { open, close }: MarkTags): MarkedText {
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

/** A window around the first mark, cut at spaces if there are any. */
function cut(text: string, marks: readonly Mark[]): { text: string; marks: Mark[] } {
  const letters = [...text];
  if (letters.length <= MAX_LENGTH) return { text, marks: [...marks] };
  const first = marks[0]?.start ?? 0;
  const wanted = Math.max(0, first - LEAD);
  const space = wanted === 0 ? -1 : letters.indexOf(' ', wanted);
  const from = space >= 0 && space < first ? space + 1 : wanted;
  const to = Math.min(letters.length, from + MAX_LENGTH);
  return {
    text: letters.slice(from, to).join(''),
    marks: marks.filter(({ end }) => end <= to).map(({ start, end }) => ({ start: start - from, end: end - from })),
  };
}

/** Weight of a value: distinct matched words first, then all matches. */
function weightOf(text: string, marks: readonly Mark[]): number {
  const letters = [...text];
  const words = new Set(marks.map(({ start, end }) => letters.slice(start, end).join('').toLowerCase()));
  return words.size * 1_000 + marks.length;
}

/** Rank of a matched language: the preferred one, the spoken one, any other. */
function rankOf(language: string | undefined, item: Item, preferred: LanguageField | undefined): number {
  const field = fieldOf(language ?? '');
  if (preferred !== undefined && field === preferred) return 0;
  return field === fieldOf(item.languageCode ?? '') ? 1 : 2;
}
