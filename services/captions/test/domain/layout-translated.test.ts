import { assert } from 'chai';
import fc from 'fast-check';
import { runs } from '@vds/testkit/counts';
import { trackDocument, type TrackSentence } from '@vds/proto/documents/track';
import { buildSpokenCues } from '../../src/domain/layout/build-cues.ts';
import { buildTranslatedCues } from '../../src/domain/layout/build-cues.ts';
import { plainText } from '../../src/domain/plain-text.ts';
import { sentencesOf } from '../../src/domain/speech/sentences.ts';
import { languages, speech, text } from './arbitraries.ts';
import { checkAlways, shown, withoutSpaces } from './cue-rules.ts';

const END_MS = 10_000_000;

describe('buildTranslatedCues', () => {
  const translation = fc.array(text, { minLength: 1, maxLength: 40 }).map((words) => words.join(' '));

  it('every cue of a translation stays within its sentence’s times, and no letter is lost', () => {
    fc.assert(
      fc.property(
        speech,
        languages,
        fc.array(translation, { minLength: 40, maxLength: 40 }),
        (words, language, texts) => {
          const source = buildSpokenCues(sentencesOf(words, 'en'), 'en', END_MS).sentences;
          const translations = source.map((_sentence, index) => texts[index % texts.length] ?? '');
          const { cues, sentences } = buildTranslatedCues(translations, source, language, END_MS);
          checkAlways(cues);
          assert.equal(shown(cues), withoutSpaces(translations.map(plainText).join('')));
          const spans = new Map(source.map((sentence) => [sentence.startMs, sentence]));
          for (const { startMs, cues: own } of sentences) {
            const from = spans.get(startMs)?.cues ?? [];
            assert.isAtLeast(own[0]?.startMs ?? 0, from[0]?.startMs ?? 0);
            assert.isAtMost(own.at(-1)?.endMs ?? 0, from.at(-1)?.endMs ?? 0);
          }
        },
      ),
      { numRuns: runs(100) },
    );
  });

  it('a translation shows nothing while the source is silent, and uses no more cues than its text needs', () => {
    const source = [
      {
        text: 'x',
        startMs: 0,
        endMs: 9_000,
        cues: [
          { startMs: 0, endMs: 2_000 },
          { startMs: 7_000, endMs: 9_000 },
        ],
      },
    ];
    const { cues } = buildTranslatedCues(['La portera hace una parada, y el estadio canta.'], source, 'es', END_MS);
    assert.deepEqual(
      cues.map(({ lines }) => lines.join(' ')),
      ['La portera hace una parada,', 'y el estadio canta.'],
    );
    assert.deepEqual(
      cues.map(({ startMs, endMs }) => [startMs, endMs]),
      [
        [0, 2_000],
        [7_000, 9_000],
      ],
    );
  });

  it('every combination of recognized and translated text yields track documents that their readers accept', () => {
    const written = (language: string, sentences: readonly TrackSentence[]): string =>
      trackDocument.write({ version: 1, videoId: 'v', language, kind: 'captions', sentences });
    const odd = fc.oneof(translation, fc.constantFrom('\u200b', '\u0301', '\ud800'), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(speech, languages, fc.array(odd, { minLength: 40, maxLength: 40 }), (words, language, texts) => {
        const source = buildSpokenCues(sentencesOf(words, 'en'), 'en', END_MS).sentences;
        const translations = source.map((_sentence, index) => texts[index % texts.length] ?? '');
        written('en', source);
        written(language, buildTranslatedCues(translations, source, language, END_MS).sentences);
      }),
      { numRuns: runs(40) },
    );
  });

  it('a sentence without a translation has no cue', () => {
    const source = [{ text: 'x', startMs: 0, endMs: 2_000, cues: [{ startMs: 0, endMs: 2_000 }] }];
    assert.deepEqual(buildTranslatedCues([' \u0000 '], source, 'es', END_MS), { cues: [], sentences: [] });
  });
});
