/** Sentences and cues of words as Whisper base wrote them, of synthesised speech and of a recording. */
import { readFileSync } from 'node:fs';
import { assert } from 'chai';
import { buildSpokenCues } from '../../src/domain/layout/build-cues.ts';
import { joinPieces } from '../../src/domain/speech/join-pieces.ts';
import { sentencesOf } from '../../src/domain/speech/sentences.ts';
import type { SpokenSentence } from '../../src/domain/words.ts';

type Row = readonly [text: string, startMs: number, endMs: number, confidence: number];

function sentences(name: string, language: string): SpokenSentence[] {
  const rows = JSON.parse(
    readFileSync(new URL(`whisper-words/${name}.json`, import.meta.url), 'utf8'),
  ) as readonly Row[];
  const pieces = rows.map(([text, startMs, endMs, confidence]) => ({ text, startMs, endMs, confidence }));
  return sentencesOf(joinPieces(pieces), language);
}

function texts(name: string, language: string): string[] {
  return sentences(name, language).map(({ text }) => text);
}

function lines(name: string, language: string): string[][] {
  return buildSpokenCues(sentences(name, language), language, 60_000).cues.map((cue) => [...cue.lines]);
}

describe('sentences of Whisper’s words', () => {
  it('scores, decimals, currencies and percentages stay whole, and titles end no sentence', () => {
    assert.deepEqual(texts('english', 'en'), [
      'It is 2-1 after 35 minutes.',
      'Dr. Jones sport 3.5 points in the US open at 5pm on Sunday.',
      'More than 20,000 fans paid $50, 12% more than last year.',
      'Who won?',
      'Nobody.',
      "He doesn't know why.",
      "Mr. Smith said, the sport is 3-1, isn't it?",
      'No. He was wrong.',
      'Well.',
      "That is all from St. James's Park.",
    ]);
  });

  it('elisions and compounds are one word, and a French question mark follows a space', () => {
    assert.deepEqual(texts('french', 'fr'), [
      "L'arbitre s'il fut la fin du match.",
      'Qui a gagné\u00a0?',
      "Aujourd'hui, c'est l'équipe de monsieur du pont avec trois buts à un.",
      'Quelle victoire\u00a0?',
      "Il y avait 20 000 spectateurs et 3,5 % de plus qu'air.",
    ]);
    assert.include(texts('german', 'de').join(' '), 'das ist zum Beispiel im DFB-Pokal so.');
  });

  it('Japanese pieces are written without spaces, beside digits and Latin letters too', () => {
    assert.deepEqual(texts('japanese', 'ja'), [
      'ゴールキーパーが最後の1分に素晴らしいセーブを見せました。',
      '試合は3対1です。',
      'NBAの選手は2016年に何点取りましたか?',
      'すごいですね。',
    ]);
  });

  it('Japanese lines rather break between words', () => {
    assert.deepEqual(lines('japanese', 'ja')[0], ['ゴールキーパーが最後の1分に', '素晴らしいセーブを見せました。']);
  });

  it('lines break after commas', () => {
    assert.deepInclude(lines('english', 'en'), ['More than 20,000 fans paid $50,', '12% more than last year.']);
    assert.deepInclude(lines('german', 'de'), ['Herr Doktor Müller sagt,', 'das ist zum Beispiel im DFB-Pokal so.']);
    assert.equal(texts('recording', 'en').length, 1);
  });
});
