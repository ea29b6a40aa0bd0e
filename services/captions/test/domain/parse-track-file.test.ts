import { assert } from 'chai';
import fc from 'fast-check';
import { runs } from '@vds/testkit/counts';
import { AppError } from '@vds/chassis/errors';
import { fixCue } from '../../src/domain/fix-cue.ts';
import { parseTrackFile } from '../../src/domain/vtt/parse-track-file.ts';
import { plainText } from '../../src/domain/plain-text.ts';
import { trackFiles } from '../../src/domain/vtt/track-files.ts';

const DURATION_MS = 60_000;

function rejection(file: string): string {
  try {
    parseTrackFile(file, DURATION_MS);
  } catch (error) {
    if (error instanceof AppError && error.code === 'INVALID_ARGUMENT') return error.message;
    throw error;
  }
  return 'accepted';
}

describe('parsing of a corrected track', () => {
  it('WebVTT and SubRip are read as plain text, with their times; notes, styles, settings and tags are not', () => {
    const vtt =
      '\ufeffWEBVTT - x\r\nKind: y\r\n\r\nSTYLE\r\n::cue {}\r\n\r\nNOTE a\r\nb\r\n\r\nname\r\n00:01.000 --> 00:02.000 line:0\r\n<v Ann>A &lt;b&gt; &amp;\r\n<<i>i>c\r\n';
    assert.deepEqual(parseTrackFile(vtt, DURATION_MS), [{ startMs: 1_000, endMs: 2_000, lines: ['A <b> &', 'c'] }]);
    const srt = '1\n00:00:01,500 --> 00:00:02,000\n&lt; x\n\n\n2\n00:00:02,000 --> 00:00:03,000\n\u202ey\n';
    assert.deepEqual(parseTrackFile(srt, DURATION_MS), [
      { startMs: 1_500, endMs: 2_000, lines: ['&lt; x'] },
      { startMs: 2_000, endMs: 3_000, lines: ['y'] },
    ]);
  });

  it('a mistake is rejected with its line and the rule', () => {
    const cue = (from: string, to: string, text = 'x') => `00:${from}.000 --> 00:${to}.000\n${text}\n`;
    const cases: Readonly<Record<string, string>> = {
      '': 'the file has no cue',
      'hello\n': 'line 1: a cue needs its times, such as 00:01:02.500 --> 00:01:04.000',
      [cue('02', '02')]: 'line 1: a cue must end after it begins',
      [cue('05', '61').replace('00:61', '01:01')]: 'line 1: a cue must end with the video, which has 60000 ms',
      [`${cue('05', '06')}\n${cue('04', '07')}`]: 'line 4: a cue must not begin before the one above it',
      [`${cue('05', '06')}${cue('07', '08')}`]: 'line 3: an empty line must precede a cue',
      [cue('05', '06', '<b> </b>')]: 'line 1: a cue must have text',
      [cue('05', '06', 'x'.repeat(201))]: 'line 1: a line may have 200 characters',
      [cue('05', '06', '<a'.repeat(2_000) + '>'.repeat(2_000))]:
        'line 2: a line may have 2000 characters with its markup',
      [cue('05', '06', 'a\nb\nc\nd\ne')]: 'line 1: a cue may have 4 lines',
      ['x'.repeat(2 ** 20 + 1)]: 'the file is larger than 1048576 bytes',
    };
    for (const [file, rule] of Object.entries(cases)) assert.equal(rejection(file), rule);
  });

  it('what a player reads of a track is read back unchanged, whatever its text is', () => {
    const line = fc
      .string({ unit: 'binary', maxLength: 60 })
      .map((text) =>
        plainText(text)
          .replace(/^[\u200e\u200f]+/, '')
          .trim(),
      )
      .filter((text) => text !== '' && plainText(text) === text && !/^[\u200e\u200f]/.test(text));
    const cues = fc.array(fc.array(line, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 9 });
    fc.assert(
      fc.property(cues, fc.constantFrom('en', 'ar', 'ja'), (texts, language) => {
        const track = texts.map((lines, index) => ({ startMs: index * 1_000, endMs: index * 1_000 + 900, lines }));
        const file = trackFiles(track, language, DURATION_MS).find(({ name }) => name === 'captions.vtt')?.text ?? '';
        assert.deepEqual(parseTrackFile(file, DURATION_MS), track);
      }),
      { numRuns: runs(300) },
    );
  });

  it('a fixed cue keeps its times, and a text that is wider than a line is broken at a clause', () => {
    const cues = [{ startMs: 0, endMs: 2_000, lines: ['x'] }];
    const text = 'Everybody in this stadium loves the wonderful goals of our champions.';
    const lines = ['Everybody in this stadium loves', 'the wonderful goals of our champions.'];
    assert.deepEqual(fixCue(cues, { number: 0, atMs: 1_999, text }, 'en'), {
      cues: [{ startMs: 0, endMs: 2_000, lines }],
      number: 1,
    });
    assert.throws(() => fixCue(cues, { number: 0, atMs: 2_000, text }, 'en'), /no cue at this time/);
    assert.throws(() => fixCue(cues, { number: 1, atMs: 0, text: ' \u0007 ' }, 'en'), /1 to 200 characters/);
  });
});
