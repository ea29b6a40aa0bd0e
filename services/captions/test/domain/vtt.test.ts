import { assert } from 'chai';
import fc from 'fast-check';
import { runs } from '@vds/testkit/counts';
import type { Cue } from '../../src/domain/layout/cues.ts';
import { buildSpokenCues } from '../../src/domain/layout/build-cues.ts';
import { buildTranslatedCues } from '../../src/domain/layout/build-cues.ts';
import { sentencesOf } from '../../src/domain/speech/sentences.ts';
import { trackFiles } from '../../src/domain/vtt/track-files.ts';
import { brokenSpeech, languages, text } from './arbitraries.ts';
import { parseVtt, withoutTimestampMap } from '@vds/testkit/media/parse-vtt';

const marks = /[\u200e\u200f\u2066\u2069]/g;
function visible(lines: readonly string[]): string {
  return lines.join('\n').replaceAll(marks, '');
}

function fileOf(cues: readonly Cue[], name: string, language = 'en', durationMs = 60_000): string {
  const file = trackFiles(cues, language, durationMs).find((one) => one.name === name);
  if (file === undefined) throw new Error(`no ${name}`);
  return file.text;
}

function cue(startMs: number, endMs: number, ...lines: string[]): Cue {
  return { startMs, endMs, lines };
}

describe('WebVTT', () => {
  it('a WebVTT file passes another project’s parser without an error, cue for cue, whatever the words are', () => {
    fc.assert(
      fc.property(brokenSpeech, languages, fc.array(text, { maxLength: 30 }), (words, language, other) => {
        const spoken = buildSpokenCues(sentencesOf(words, 'en'), 'en', 100_000);
        const texts = spoken.sentences.map((_sentence, index) => other.slice(index).join(' '));
        const { cues } = buildTranslatedCues(texts, spoken.sentences, language, 100_000);
        for (const [shown, tag] of [
          [spoken.cues, 'en'],
          [cues, language],
        ] as const) {
          for (const { name, text: written } of trackFiles(shown, tag, 100_000)) {
            if (!name.endsWith('.vtt')) continue;
            assert.deepEqual(parseVtt(withoutTimestampMap(written)).errors, []);
          }
          const parsed = parseVtt(fileOf(shown, 'captions.vtt', tag, 100_000)).cues;
          assert.deepEqual(
            parsed.map(({ startMs, endMs, lines }) => [startMs, endMs, visible(lines)]),
            shown.map(({ startMs, endMs, lines }) => [startMs, endMs, visible(lines)]),
          );
        }
      }),
      { numRuns: runs(60) },
    );
  });

  it('a WebVTT cue shows markup, arrows, entities and emoji letter for letter, and no control character', () => {
    const lines = ['a --> b <b>bold</b> &amp; &lt;', '👨‍👩‍👧‍👦 NOTE \u2028 STYLE\u0000\u0007'];
    const { cues, errors } = parseVtt(fileOf([cue(0, 1_000, ...lines)], 'captions.vtt'));
    assert.deepEqual(errors, []);
    assert.deepEqual(cues[0]?.lines, ['a --> b <b>bold</b> &amp; &lt;', '👨‍👩‍👧‍👦 NOTE STYLE']);
  });

  it('a WebVTT line holds any string without a parse error', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (line) => {
        const { cues, errors } = parseVtt(fileOf([cue(0, 1_000, line, 'end')], 'captions.vtt'));
        assert.deepEqual(errors, []);
        assert.equal(cues[0]?.lines.at(-1), 'end');
      }),
      { numRuns: runs(300) },
    );
  });

  it('WebVTT timestamps have as many hour digits as they need', () => {
    const { cues, errors } = parseVtt(fileOf([cue(360_000_123, 360_001_456, 'late')], 'captions.vtt'));
    assert.deepEqual([errors, cues[0]?.startMs, cues[0]?.endMs], [[], 360_000_123, 360_001_456]);
  });

  it('a video without speech has a WebVTT document without cues', () => {
    assert.equal(fileOf([], 'captions.vtt'), 'WEBVTT\n');
    assert.deepEqual(parseVtt('WEBVTT\n').errors, []);
  });
});

describe('WebVTT in right-to-left scripts', () => {
  const line = (text_: string, language: string): string =>
    parseVtt(fileOf([cue(0, 1_000, text_)], 'captions.vtt', language)).cues[0]?.lines[0] ?? '';

  it('Arabic and Hebrew lines stay unmarked where a player shows them correctly', () => {
    assert.equal(line('تسديدة رائعة من خارج المنطقة!', 'ar'), 'تسديدة رائعة من خارج المنطقة!');
    assert.equal(line('שער בדקה ה-90 של ליאו (ברצלונה).', 'he'), 'שער בדקה ה-90 של ליאו (ברצלונה).');
  });

  it('a line of a right-to-left track gets a mark if it begins with Latin letters or has none at all', () => {
    assert.equal(line('NBA היום.', 'he'), '\u200fNBA היום.');
    assert.equal(line('2026!', 'ar'), '\u200f2026!');
  });

  it('a line of a left-to-right track gets a mark if it begins with Arabic letters', () => {
    assert.equal(line('محمد scores!', 'en'), '\u200eمحمد scores!');
  });

  it('a sign, a currency and a percentage in an Arabic line stay on their side of the number', () => {
    for (const number of ['50%', '-5°', '$3.50', '20€'])
      assert.equal(line(`يربح ${number} هنا`, 'ar'), `يربح \u2066${number}\u2069 هنا`);
    for (const plain of ['1,250', '12:30', 'الـ-90']) assert.equal(line(`في ${plain} هنا`, 'ar'), `في ${plain} هنا`);
  });

  it('a score in an Arabic line keeps its sides', () => {
    for (const score of ['3-1', '3 – 1', '12.5/3'])
      assert.equal(line(`النتيجة ${score} الآن`, 'ar'), `النتيجة \u2066${score}\u2069 الآن`);
  });
});

describe('HLS subtitle segments', () => {
  const playlistOf = (durationMs: number): string[] => fileOf([], 'index.m3u8', 'en', durationMs).trimEnd().split('\n');
  const sum = (lines: readonly string[]): number =>
    lines.reduce((total, line) => total + Number(/^#EXTINF:([\d.]+),$/.exec(line)?.[1] ?? 0) * 1_000, 0);

  it('the playlist lists segments of 30 s that together last as long as the video', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20_000_000 }), (durationMs) => {
        const lines = playlistOf(durationMs);
        const target = Number(/\d+/.exec(lines.find((one) => one.startsWith('#EXT-X-TARGETDURATION:')) ?? '')?.[0]);
        assert.equal(Math.round(sum(lines)), durationMs);
        for (const one of lines.filter((entry) => entry.startsWith('#EXTINF'))) {
          assert.isAtMost(Math.round(Number(/[\d.]+/.exec(one)?.[0])), target);
        }
      }),
      { numRuns: runs(100) },
    );
    assert.deepEqual(playlistOf(65_500), [
      ...[
        '#EXTM3U',
        '#EXT-X-VERSION:3',
        '#EXT-X-TARGETDURATION:30',
        '#EXT-X-MEDIA-SEQUENCE:0',
        '#EXT-X-PLAYLIST-TYPE:VOD',
      ],
      ...['#EXTINF:30.000,', 'seg-00000.vtt', '#EXTINF:30.000,', 'seg-00001.vtt', '#EXTINF:5.500,', 'seg-00002.vtt'],
      '#EXT-X-ENDLIST',
    ]);
  });

  it('a cue that crosses a border is in both segments, with the same name and times', () => {
    const cues = [cue(1_000, 3_000, 'first'), cue(29_000, 31_000, 'across'), cue(31_100, 33_000, 'second')];
    const [one, two] = ['seg-00000.vtt', 'seg-00001.vtt'].map(
      (name) => parseVtt(withoutTimestampMap(fileOf(cues, name))).cues,
    );
    assert.deepEqual(
      one?.map(({ id }) => id),
      ['1', '2'],
    );
    assert.deepEqual(
      two?.map(({ id }) => id),
      ['2', '3'],
    );
    assert.deepEqual(one?.[1], two?.[0]);
  });

  it('a segment ends before a cue that begins with the next one', () => {
    const cues = [cue(28_000, 30_000, 'before'), cue(30_000, 31_000, 'after')];
    assert.deepEqual(
      parseVtt(withoutTimestampMap(fileOf(cues, 'seg-00000.vtt'))).cues.map(({ id }) => id),
      ['1'],
    );
    assert.deepEqual(
      parseVtt(withoutTimestampMap(fileOf(cues, 'seg-00001.vtt'))).cues.map(({ id }) => id),
      ['2'],
    );
  });

  it('every segment maps cue times onto the media, the complete document does not', () => {
    assert.match(fileOf([], 'seg-00001.vtt'), /^WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00\.000\n/);
    assert.notInclude(fileOf([], 'captions.vtt'), 'X-TIMESTAMP-MAP');
  });
});
