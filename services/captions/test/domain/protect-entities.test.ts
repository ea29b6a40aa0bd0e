import { assert } from 'chai';
import fc from 'fast-check';
import { runs } from '@vds/testkit/counts';
import { protect, restoreNumbers, lostEntities } from '../../src/domain/translation/protect-entities.ts';
import { lostNumbers } from '../../src/domain/translation/numbers.ts';

const toSpanish = { source: 'en', target: 'es' };
const toArabic = { source: 'en', target: 'ar' };

const number = fc.oneof(
  fc.integer({ min: 0, max: 3_000 }).map(String),
  fc.tuple(fc.nat(9), fc.nat(9)).map(([home, away]) => `${home}-${away}`),
  fc
    .tuple(fc.integer({ min: 1, max: 99 }), fc.integer({ min: 0, max: 59 }))
    .map(([m, s]) => `${m}:${String(s).padStart(2, '0')}`),
  fc.constantFrom('1,250.75', '50%', '$20', '90th', '+4.5', '007'),
);
const name = fc.constantFrom('Wembley', 'LeBron James', 'NBA', "O'Neill", 'Rose Green', 'São Paulo');
/** A word like a token prevents tokens in its sentence, which another test covers. */
const word = fc.stringMatching(/^[a-z]{2,9}$/).filter((one) => !one.startsWith('qz'));

describe('names and numbers during translation', () => {
  it('a translated sentence contains every number of its source, whatever the engine does to it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(word, number), { minLength: 1, maxLength: 20 }),
        fc.string({ unit: 'grapheme' }),
        (words, unrelated) => {
          fc.pre(unrelated.trim() !== '');
          const source = `${words.join(' ')}.`;
          for (const translated of [unrelated, `${words.toReversed().slice(1).join(' ')}.`]) {
            const { text } = restoreNumbers(source, translated, toSpanish);
            if (text !== '') assert.deepEqual(lostNumbers(source, text), []);
          }
        },
      ),
      { numRuns: runs(200) },
    );
  });

  it('names return letter for letter from an engine that changes and moves all other words', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(word, word, name, number), { minLength: 2, maxLength: 16 }),
        fc.nat(),
        (words, turn) => {
          const source = `the ${words.join(' ')}.`;
          const kept = protect(source, toSpanish);
          // Replaces and reorders all words; what is not a word of any language stays, though its case may change.
          const changed = kept.text.split(' ').map((one) => (/^qz/i.test(one) || /\d/.test(one) ? one : 'palabra'));
          const moved = [...changed.slice(turn % changed.length), ...changed.slice(0, turn % changed.length)].join(' ');
          for (const translated of [moved, moved.toLowerCase(), moved.replaceAll(/Qz(?=\w)/g, 'Qz ')]) {
            const restored = kept.restore(translated) ?? assert.fail(`lost a name: ${translated}`);
            assert.deepEqual(lostEntities(source, restored, toSpanish), []);
          }
        },
      ),
      { numRuns: runs(200) },
    );
  });

  it('a sentence that contains a word written like a token is sent as it is', () => {
    for (const sentence of ['Here qzaq meets Wembley.', 'Here QZ BQ meets Wembley.']) {
      const kept = protect(sentence, toSpanish);
      assert.equal(kept.text, sentence);
      assert.equal(kept.restore('Aquí qzaq encuentra Wembley.'), 'Aquí qzaq encuentra Wembley.');
    }
  });

  it('restore returns undefined where the engine lost a token, rather than text with the rest of one', () => {
    const kept = protect('She beat Martina Green at Wembley.', toSpanish);
    assert.equal(kept.text, 'She beat Qzaq at Qzbq.');
    assert.equal(kept.restore('Venció a Qzaq en Qzbq.'), 'Venció a Martina Green en Wembley.');
    assert.isUndefined(kept.restore('Venció a Qzaq en.'));
  });

  it('days, first words, all-capital sentences, German nouns, and everything into Arabic get no token', () => {
    for (const [sentence, source] of [
      ['See you on Monday, he and I say.', 'en'],
      ['Wembley sings.', 'en'],
      ['WHAT A SAVE BY THE KEEPER!', 'en'],
      ['Er hält den Ball im Tor.', 'de'],
      ['Here is Dr. Smith. Then he runs.', 'xx'],
    ] as const) {
      assert.equal(protect(sentence, { source, target: 'es' }).text, sentence);
    }
    assert.equal(protect('She plays at Wembley.', toArabic).text, 'She plays at Wembley.');
  });

  it('abbreviations with an ampersand are one name, also at a start, among capitals and in German', () => {
    for (const [sentence, source, sent] of [
      ['Then comes our Q&A with fans of AT&T.', 'en', 'Then comes our Qzaq with fans of Qzbq.'],
      ['R&B is what we play.', 'en', 'Qzaq is what we play.'],
      ['TODAY: OUR Q&A WITH THE TEAM!', 'en', 'TODAY: OUR Qzaq WITH THE TEAM!'],
      ['Heute kommt unser Q&A.', 'de', 'Heute kommt unser Qzaq.'],
      ['He left M&S at the AT&T Stadium.', 'en', 'He left Qzaq at the Qzbq.'],
    ] as const) {
      const kept = protect(sentence, { source, target: 'es' });
      assert.equal(kept.text, sent);
      assert.equal(kept.restore(sent), sentence);
    }
    assert.deepEqual(lostEntities('Then comes our Q&A.', 'Luego viene nuestro Q&Un.', toSpanish), [
      { kind: 'name', text: 'Q&A' },
    ]);
  });

  it('abbreviations that are spelled out with “and” are the same name, and other letters are not', () => {
    const kept = protect('We hear R and B, then our Q and A with fans.', toSpanish);
    assert.equal(kept.text, 'We hear Qzaq, then our Qzbq with fans.');
    assert.equal(kept.restore('Oímos Qzaq, entonces nuestro Qzbq.'), 'Oímos R&B, entonces nuestro Q&A.');
    assert.equal(protect('We love R & B and M&Ms.', toSpanish).text, 'We love Qzaq and Qzbq.');
    assert.equal(protect('That is plan A and B, says Q and I.', toSpanish).text, 'That is plan A and B, says Q and I.');
    assert.equal(protect('Nous jouons Q and A ici.', { source: 'fr', target: 'es' }).text, 'Nous jouons Q and A ici.');
  });

  it('numbers are compared by value: separators, scripts and leading zeros do not count', () => {
    assert.deepEqual(lostNumbers('1,250.75 in 4:32', '1.250,75 en 4 h 32'), []);
    assert.deepEqual(lostNumbers('1,250 fans, 3-1', 'fans 1 250, 3 à 1'), []);
    assert.deepEqual(lostNumbers('in 2026 at 07', '٧ عام ٢٠٢٦'), []);
    assert.deepEqual(lostNumbers('3-1 after 90', '3 after 9'), ['1', '90']);
    assert.deepEqual(lostNumbers('2-2', 'dos a 2'), ['2']);
  });

  it('numbers that the engine left as they were get the separators of the target’s language', () => {
    const cases = [
      ['en', 'es', 'It weighs 1.5 and 12,500.75 kilos.', 'Pesa 1.5 y 12,500.75 kilos.', 'Pesa 1,5 y 12.500,75 kilos.'],
      ['en', 'fr', 'Over 1,250 fans', 'Plus de 1,250 fans', 'Plus de 1\u202f250 fans'],
      ['de', 'en', 'Es sind 1.250 und 2,5.', 'There are 1.250 and 2,5.', 'There are 1,250 and 2.5.'],
      // Already in its form, no number of the source, dates and years, a language without a form of its own.
      ['en', 'es', 'It weighs 1.5 kilos.', 'Pesa 1,5 kilos.', 'Pesa 1,5 kilos.'],
      ['en', 'de', 'On 12.05.2024, 3-1 in 2024.', 'Am 12.05.2024, 3-1 in 2024.', 'Am 12.05.2024, 3-1 in 2024.'],
      ['en', 'ar', 'It is 1.5.', 'هو 1.5.', 'هو 1.5.'],
      ['en', 'xx', 'It is 1.5.', 'It is 1.5.', 'It is 1.5.'],
    ] as const;
    for (const [source, target, original, translated, expected] of cases) {
      const { text, lost } = restoreNumbers(original, translated, { source, target });
      assert.deepEqual([text, lost], [expected, []]);
    }
  });

  it('lost numbers are appended before the final mark, and everything that was lost is reported', () => {
    assert.deepEqual(restoreNumbers('It ends 3-1 at Wembley!', '¡Termina en el estadio!', toSpanish), {
      text: '¡Termina en el estadio (3, 1)!',
      lost: [
        { kind: 'number', text: '3' },
        { kind: 'number', text: '1' },
        { kind: 'name', text: 'Wembley' },
      ],
    });
    assert.deepEqual(restoreNumbers('It ends at Zürich.', 'Termina en Zurich.', toSpanish).lost, []);
  });
});
