/** Texts as partners might send them, class by class: everything that somebody somewhere might trim, fold or escape. */
import fc, { type Arbitrary } from 'fast-check';

const bmp = within([0x20, 0x7e], [0xa0, 0xd7ff], [0xe000, 0xffff]);
const astral = within([0x1_0000, 0x10_ffff]);
const words = of('final', 'Köln', '東京', 'матч', 'סיום', 'نهائي', 'ไทย', '한국', 'ß', 'İ', 'ǆ', 'x');
const space = of(' ', '  ', '\t', '\n', '\r', '\r\n', '\v', '\f', '\u0085', '\u00a0', '\u1680', '\u180e', '\u2000', '\u2003', '\u2009', '\u200a', '\u200b', '\u2028', '\u2029', '\u202f', '\u205f', '\u2060', '\u3000', '\ufeff'); // prettier-ignore
const emoji = of('👩', '👨', '👧', '🧑', '🏽', '🏿', '❤', '\ufe0f', '\ufe0e', '🏳', '🌈', '☠', '⚕', '🇧', '🇷', '🇯', '🇵', '1', '#', '\u20e3', '\u{e0067}', '\u{e0062}', '\u{e007f}'); // prettier-ignore
const mark = within([0x300, 0x36f], [0x483, 0x489], [0x591, 0x5bd], [0x64b, 0x65f], [0xe34, 0xe3a], [0x1ab0, 0x1ace], [0x1dc0, 0x1dff], [0x20d0, 0x20f0], [0xfe20, 0xfe2f]); // prettier-ignore
const bidi = of('\u061c', '\u200e', '\u200f', '\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069'); // prettier-ignore
/** Composed, decomposed, and what only looks the same. */
const composed = of('é', 'Å', '\u212b', 'Å', '가', '각', 'ﬁ', '①', '\u2126', '\u212a', 'ế', 'ǭ', '\u0958', '\u2adc', 'ｶﾞ', 'ſ', '½', '\u1e9b\u0323', '\u{1d15e}', '\u{2f804}'); // prettier-ignore
const noncharacters = fc.oneof(
  within([0xfdd0, 0xfdef]),
  fc.tuple(fc.integer({ min: 0, max: 16 }), fc.integer({ min: 0, max: 1 })).map(([p, o]) => point(p * 0x1_0000 + 0xfffe + o)),
); // prettier-ignore
const code = of('null', 'NULL', 'undefined', 'NaN', 'true', '{}', '{a,b}', '{"a":1}', '["x"]', '"', '\\', '\\\\', '\\u0041', '\\n', '\\x00', "'", "''", "'; DROP TABLE videos; --", '$1', '$$', '${7*7}', '{{7*7}}', '%s', '%n', '%00', '%25', '%', '<script>alert(1)</script>', '<b>', '&amp;', '&#0;', '<!--', ']]>', '__proto__', 'constructor', '../..', 'C:\\x', '`id`', '$(id)', '\u001b[31m', '\r\nx-injected: 1', '=1+1', '@', '#', '*', '?', '~1', '(a|b)', 'AND', 'title:x', '^4', '/*', '*/'); // prettier-ignore

/** By name. None of them makes U+0000 or half of a surrogate pair. */
export const textClasses: Readonly<Record<string, Arbitrary<string>>> = {
  'basic plane': joined(bmp),
  'beyond the basic plane': joined(astral),
  'joined emoji': joined(fc.oneof(emoji, fc.constant('\u200d'))),
  'combining marks': joined(
    fc.tuple(words, joined(mark, 40)).map((parts) => parts.join('')),
    6,
  ),
  'right to left': joined(fc.oneof(within([0x5d0, 0x5ea], [0x620, 0x64a], [0x700, 0x72f], [0x1_e900, 0x1_e943]), bidi)),
  'composed (NFC)': joined(composed).map((text) => text.normalize('NFC')),
  'decomposed (NFD)': joined(composed).map((text) => text.normalize('NFD')),
  'as they come (neither)': joined(composed),
  noncharacters: joined(noncharacters),
  'private use': joined(within([0xe000, 0xf8ff], [0xf_0000, 0xf_fffd], [0x10_0000, 0x10_fffd])),
  'line separators': joined(fc.oneof(words, of('\n', '\r', '\r\n', '\u2028', '\u2029', '\u0085', '\v', '\f'))),
  controls: joined(fc.oneof(within([0x01, 0x1f], [0x7f, 0x9f]), words)),
  'white space around': fc.tuple(joined(space, 8), joined(words, 4), joined(space, 8)).map((parts) => parts.join('')),
  'like code': joined(fc.oneof(code, words), 12),
};

const limits = { title: 200, summary: 2_000, tag: 50 } as const;
/** In every video's tags, so that a search finds them all. */
export const marker = 'shibboleth';
const tagsEach = 24;

export type Texts = { readonly title: string; readonly summary: string; readonly tags: readonly string[] };
/** What is told of a video somewhere. */
export type Told = {
  readonly title: string;
  readonly summary?: string | null | undefined;
  readonly tags: readonly string[];
};

/** So many videos, whose texts take the classes in turns; every third text is as long as it may be. */
export function makeTexts(videos: number, seed: number, counts: Map<string, number>): Texts[] {
  const needed = videos * (2 + tagsEach);
  const names = Object.keys(textClasses);
  const samples = (name: string, index: number): readonly string[] =>
    fc.sample(textClasses[name] ?? bmp, {
      numRuns: Math.ceil(needed / names.length) + names.length,
      seed: seed + index,
    });
  const pools = new Map(names.map((name, index) => [name, samples(name, index)]));
  let next = 0;
  const take = (most: number): string => {
    const at = next++;
    // A video has an even number of texts: without the shift its title would meet every second class alone.
    const name = names[(at + Math.floor(at / (2 + tagsEach))) % names.length] ?? '';
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    const text = pools.get(name)?.[count] ?? 'x';
    return at % 3 === 0 ? filledTo(text, most) : cutTo(text, most);
  };
  return Array.from({ length: videos }, () => {
    const title = take(limits.title);
    const summary = take(limits.summary);
    return {
      title: /\P{White_Space}/u.test(title) ? title : `${cutTo(title, limits.title - 1)}x`,
      summary,
      tags: [...Array.from({ length: tagsEach }, () => take(limits.tag)), marker],
    };
  });
}

/** The text again and again, up to exactly so many code points. */
export function filledTo(text: string, length: number): string {
  return cutTo(text.repeat(Math.ceil(length / [...text].length)), length);
}

/** At most so many code points of a text, whole ones. */
export function cutTo(text: string, most: number): string {
  return [...text].slice(0, most).join('');
}

/** Every character as JSON may write it: itself, or by its number. */
export function escaped(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Where what is told of a video is not what was sent. */
export function differences(sent: Texts, came: Told | undefined): string[] {
  if (!came) return ['is not there'];
  const pairs: readonly (readonly [string, string, string | null | undefined])[] = [
    ['title', sent.title, came.title],
    ['summary', sent.summary, came.summary],
    ...sent.tags.map((tag, index) => [`tags[${index}]`, tag, came.tags[index]] as const),
  ];
  const apart = pairs.flatMap(([field, text, told]) => {
    const found = difference(text, told);
    return found === undefined ? [] : [`${field}: ${found}`];
  });
  return came.tags.length === sent.tags.length ? apart : [...apart, `has ${came.tags.length} tags`];
}

/** Where two texts part, in words that say which code points; undefined where they do not. */
export function difference(sent: string, came: string | null | undefined): string | undefined {
  if (sent === came) return undefined;
  const hex = (text: string): string => [...text].map((one) => one.codePointAt(0)?.toString(16)).join(' ');
  return `sent ${hex(sent)}, came ${came === null || came === undefined ? String(came) : hex(came)}`;
}

function point(code: number): string {
  return String.fromCodePoint(code);
}

function within(...ranges: readonly (readonly [number, number])[]): Arbitrary<string> {
  return fc.oneof(...ranges.map(([min, max]) => fc.integer({ min, max }).map(point)));
}

function joined(one: Arbitrary<string>, maxLength = 60): Arbitrary<string> {
  return fc.array(one, { minLength: 1, maxLength }).map((parts) => parts.join(''));
}

function of(...parts: readonly string[]): Arbitrary<string> {
  return fc.constantFrom(...parts);
}
