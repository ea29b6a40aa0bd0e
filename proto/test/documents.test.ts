/** Documents in buckets: written documents are read back unchanged, and invalid ones are rejected. */
import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '@vds/testkit/counts';
import type { JsonDocument } from '../documents/document.ts';
import { ladderDocument, type LadderDocument } from '../documents/ladder.ts';
import { MAX_SENTENCE, trackDocument, type TrackDocument } from '../documents/track.ts';

const positive = fc.integer({ min: 1, max: 16_384 });
const side = fc.integer({ min: 2, max: 16_384 });
const sizes = fc.record({ width: positive, height: positive });
const ids = fc.stringMatching(/^[0-9A-Za-z]{1,64}$/);
const languages = fc.constantFrom('en', 'eng', 'pt-BR', 'zh-Hant-TW', 'ca-valencia');

function paths(extension: string): fc.Arbitrary<string> {
  return fc
    .array(fc.stringMatching(/^[0-9A-Za-z][0-9A-Za-z._-]{0,20}$/), { minLength: 1, maxLength: 7 })
    .map((parts) => `${parts.join('/')}/x.${extension}`);
}

const rendition = {
  bandwidth: fc.integer({ min: 1, max: 2 ** 40 }),
  averageBandwidth: positive,
  codecs: fc.constantFrom('avc1.640028', 'mp4a.40.2', 'avc1.64001f,mp4a.40.2'),
  playlist: paths('m3u8'),
};

const ladders: fc.Arbitrary<LadderDocument> = fc.record({
  version: fc.constant(1 as const),
  videoId: ids,
  attempt: positive,
  durationMs: positive,
  frames: positive,
  rungs: fc.array(
    fc.record({
      ...rendition,
      name: fc.constantFrom('1080p', '240p'),
      width: side,
      height: side,
      frameRate: fc.double({ min: 0.001, max: 240, noNaN: true }),
    }),
    { minLength: 1, maxLength: 32 },
  ),
  audio: fc.option(
    fc.record({ ...rendition, channels: fc.constant(2), sampleRate: positive, language: fc.option(languages) }),
  ),
  thumbnail: sizes.chain((size) => paths('jpg').map((path) => ({ path, ...size }))),
  storyboard: fc.record({ track: paths('vtt'), intervalSeconds: positive, tile: sizes }),
});

const spans = fc
  .tuple(fc.nat(86_400_000), fc.nat(60_000))
  .map(([startMs, lasts]) => ({ startMs, endMs: startMs + lasts }));
const texts = fc
  .string({ unit: 'grapheme', maxLength: 60 })
  .map((text) => text.toWellFormed().replaceAll(/\p{Cc}/gu, ''));

const tracks: fc.Arbitrary<TrackDocument> = fc.record({
  version: fc.constant(1 as const),
  videoId: ids,
  language: languages,
  kind: fc.constantFrom('captions' as const, 'subtitles' as const),
  sentences: fc.array(
    spans.chain((span) =>
      fc.record({ text: texts, cues: fc.array(spans, { maxLength: 3 }) }).map((rest) => ({ ...span, ...rest })),
    ),
    { maxLength: 5 },
  ),
});

function readText<T>(document: JsonDocument<T>, text: string): T {
  return document.read(Buffer.from(text));
}

type Step = string | number;

/** The path of every field, including nested ones. */
function fieldsOf(value: unknown, at: readonly Step[] = []): Step[][] {
  if (typeof value !== 'object' || value === null) return [];
  const entries: [Step, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return entries.flatMap(([step, field]) => [[...at, step], ...fieldsOf(field, [...at, step])]);
}

/** A copy with another value in one place; `undefined` deletes the field. */
function changed(value: unknown, [step, ...rest]: readonly Step[], to: unknown): unknown {
  if (step === undefined) return to;
  const copy: Record<Step, unknown> = Array.isArray(value)
    ? ([...(value as unknown[])] as unknown as Record<Step, unknown>)
    : { ...(value as object) };
  copy[step] = changed(copy[step], rest, to);
  return copy;
}

/** `rungs[0].width` */
function nameOf(path: readonly Step[]): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .slice(1);
}

/** Values that are invalid for every field of every document. */
const wrong = fc.constantFrom<unknown>(true, [null], {}, '', -1, '../../x.m3u8', '\u0000', '\ud800');

function describeFields<T>(name: string, document: JsonDocument<T>, values: fc.Arbitrary<T>): void {
  describe(`the fields of ${name}`, () => {
    it(`${name}: a document that is written is read back as it was`, () => {
      fc.assert(
        fc.property(values, (value) => {
          expect(readText(document, document.write(value))).to.deep.equal(value);
        }),
      );
    });

    it(`${name}: a document with a field missing is rejected by the name of the field`, () => {
      fc.assert(
        fc.property(values, fc.nat(), (value, pick) => {
          const fields = fieldsOf(value).filter((path) => typeof path.at(-1) === 'string');
          const path = fields[pick % fields.length] ?? [];
          expect(() => readText(document, JSON.stringify(changed(value, path, undefined)))).to.throw(
            `invalid ${name}: \`${nameOf(path)}\` must be `,
          );
        }),
      );
    });

    it(`${name}: a document with a wrong value in any field is rejected by the name of the field`, () => {
      fc.assert(
        fc.property(values, fc.nat(), wrong, (value, pick, to) => {
          const fields = fieldsOf(value);
          const path = fields[pick % fields.length] ?? [];
          if (path.at(-1) === 'text' && (to === '' || to === '../../x.m3u8')) return;
          // The error for a missing field names it inside its object.
          expect(() => readText(document, JSON.stringify(changed(value, path, to)))).to.throw(
            `invalid ${name}: \`${nameOf(path)}`,
          );
        }),
        { numRuns: 400 },
      );
    });
  });
}

function describeLimits<T>(name: string, document: JsonDocument<T>, values: fc.Arbitrary<T>): void {
  describe(`the limits of ${name}`, () => {
    it(`${name}: the writer rejects a document that no reader accepts`, () => {
      fc.assert(
        fc.property(values, (value) => {
          expect(() => document.write(changed(value, ['version'], 2) as T)).to.throw('`version` must be 1');
        }),
        { numRuns: 5 },
      );
    });

    it(`${name}: any other value is rejected with the name of the document`, () => {
      fc.assert(
        fc.property(fc.jsonValue(), (value) => {
          expect(() => readText(document, JSON.stringify(value))).to.throw(new RegExp(`^invalid ${name}: .* must be `));
        }),
        { numRuns: runs(200) },
      );
      for (const text of ['', '{', '{"version":1', 'x']) {
        expect(() => readText(document, text), text).to.throw(`invalid ${name}: it must be JSON`);
      }
      expect(() => document.read(Buffer.from([0x22, 0xff, 0x22]))).to.throw(`invalid ${name}: it must be UTF-8`);
    });

    it(`${name}: a document above the limit is rejected before it is parsed`, () => {
      expect(() => document.read(Buffer.alloc(document.maxBytes + 1, '{'))).to.throw(
        `invalid ${name}: it must have at most ${document.maxBytes} bytes`,
      );
    });

    it(`${name}: fields of a later version are dropped`, () => {
      fc.assert(
        fc.property(values, (value) => {
          const later = { ...value, later: { deep: [1] } };
          expect(readText(document, JSON.stringify(later))).to.deep.equal(value);
        }),
        { numRuns: 20 },
      );
    });
  });
}

describeFields('ladder.json', ladderDocument, ladders);
describeFields('track.json', trackDocument, tracks);
describeLimits('ladder.json', ladderDocument, ladders);
describeLimits('track.json', trackDocument, tracks);

type Hostile = readonly (readonly [path: readonly Step[], value: unknown])[];

function rejects<T>(name: string, document: JsonDocument<T>, good: T, cases: Hostile): void {
  for (const [path, value] of cases)
    it(`${name} is rejected where ${nameOf(path)} is ${JSON.stringify(value).slice(0, 60)}`, () => {
      expect(() => readText(document, JSON.stringify(changed(good, path, value)))).to.throw(
        `invalid ${name}: \`${nameOf(path)}\` must be `,
      );
    });
}

describe('ladder.json with hostile content', () => {
  const [ladder] = fc.sample(
    ladders.filter(({ audio }) => audio !== null),
    { numRuns: 1, seed: 1 },
  ) as [LadderDocument];
  const playlist = ['rungs', 0, 'playlist'];
  rejects('ladder.json', ladderDocument, ladder, [
    [['version'], 2],
    [['rungs'], []],
    [['rungs'], 'x'],
    [['rungs'], Array.from({ length: 33 }, () => 0)],
    [['rungs', 0], null],
    [playlist, '../../other/1/v/index.m3u8'],
    [playlist, 'https://evil.example/index.m3u8'],
    [playlist, '/etc/index.m3u8'],
    [playlist, 'a/ladder.json'],
    [playlist, 'a/index.m3u8\n'],
    [playlist, `${'a/'.repeat(9)}index.m3u8`],
    [['rungs', 0, 'codecs'], 'avc1"\n#EXT'],
    [['rungs', 0, 'bandwidth'], 0],
    [['rungs', 0, 'width'], '1280'],
    [['rungs', 0, 'width'], 16_385],
    [['rungs', 0, 'height'], 100.5],
    [['rungs', 0, 'frameRate'], 0],
    [['audio', 'language'], 'x"y'],
    [['audio', 'language'], 'en\nx'],
    [['audio', 'playlist'], null],
    [['durationMs'], -1],
    [['storyboard', 'track'], 'index.m3u8'],
    [['videoId'], 'a/b'],
  ]);

  it('ladder.json is rejected with a number that JSON reads as infinite', () => {
    for (const path of [['durationMs'], ['rungs', 0, 'frameRate']]) {
      const text = JSON.stringify(changed(ladder, path, 7_777_777)).replace('7777777', '1e999');
      expect(() => readText(ladderDocument, text), nameOf(path)).to.throw(`\`${nameOf(path)}\` must be `);
    }
  });

  it('ladder.json is rejected with the same sentence for every reader', () => {
    expect(() => readText(ladderDocument, JSON.stringify({ ...ladder, rungs: [] }))).to.throw(
      'invalid ladder.json: `rungs` must be a non-empty array',
    );
  });
});

describe('track.json with hostile content', () => {
  const track: TrackDocument = {
    version: 1,
    videoId: 'v',
    language: 'pt-BR',
    kind: 'subtitles',
    sentences: [{ startMs: 5, endMs: 9, text: 'What a "save"…', cues: [{ startMs: 5, endMs: 9 }] }],
  };
  rejects('track.json', trackDocument, track, [
    [['version'], 2],
    [['kind'], 'chapters'],
    [['language'], 7],
    [['language'], '../en'],
    [['sentences'], {}],
    [['sentences', 0, 'endMs'], 4],
    [['sentences', 0, 'endMs'], 2 ** 60],
    [['sentences', 0, 'startMs'], -1],
    [['sentences', 0, 'startMs'], 0.5],
    [['sentences', 0, 'text'], 'a\u0000b'],
    [['sentences', 0, 'text'], 'a\ud800'],
    [['sentences', 0, 'text'], 'x'.repeat(MAX_SENTENCE + 1)],
    [['sentences', 0, 'cues', 0, 'endMs'], 4],
  ]);

  it('track.json holds a track in which nothing is said', () => {
    expect(readText(trackDocument, JSON.stringify({ ...track, sentences: [] })).sentences).to.deep.equal([]);
  });
});
