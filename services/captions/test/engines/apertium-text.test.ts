import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '@vds/testkit/counts';
import { findRoutes } from '../../src/domain/routes.ts';
import { readModes } from '../../src/outbound/engines/apertium-modes.ts';
import { fromUnits, plain, tidy, toUnits } from '../../src/outbound/engines/apertium-text.ts';

describe('apertium text units', () => {
  it('any sentences survive the conversion to units and back unchanged', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.string({ unit: 'binary' }),
            fc.string({ unit: fc.constantFrom(...'\\^$@/[]{}<>*#~|+ a1\n'.split('')) }),
          ),
        ),
        (texts) => {
          const sentences = texts.map(plain).filter((sentence) => sentence !== '');
          fc.pre(sentences.length > 0);
          const spaced = sentences.map((sentence) => sentence.replaceAll(/\s+/gu, ' '));
          expect(fromUnits(toUnits(sentences))).to.deep.equal(spaced);
        },
      ),
      { numRuns: runs(50) },
    );
  });

  it('units contain none of the characters that apertium’s stream consists of', () => {
    expect(toUnits(['a\\b ^c$ @d /e [f] {g} <h> *i #j ~k |l +m'])).not.to.match(/[\\^$@/[\]{}<>*#~|+]/);
  });

  it('each sentence becomes one unit on one line', () => {
    expect(toUnits(['One.', 'Two.'])).to.equal('One.\n\nTwo.\n');
    expect(plain(' a\r\n\u2028b\u0000\ue123c\ud800 ')).to.equal('a b c\ufffd');
  });

  it('apertium’s own marks are removed from its output', () => {
    expect(fromUnits('@malantaŭa #detranĉo\n\n*Guardiola detranĉa/konzola\n')).to.deep.equal([
      'malantaŭa detranĉo',
      'Guardiola detranĉa',
    ]);
  });
});

describe('tidy', () => {
  it('tidy removes brackets and quotes that the source does not have', () => {
    expect(tidy('La (teamo () gajnis "la" ludon" .', 'The (team) won "the" game.')).to.equal(
      'La (teamo ) gajnis "la" ludon.',
    );
  });

  it('tidy removes a space before a mark where the source has none', () => {
    expect(tidy('na segunda metá , y', 'in the second half, and')).to.equal('na segunda metá, y');
    expect(tidy('la mi-temps !', 'the half !')).to.equal('la mi-temps !');
  });
});

describe('apertium modes', () => {
  const steps = (listing: string): string[] => readModes(listing).map(({ mode, from, to }) => `${mode} ${from}>${to}`);

  it('modes are read as steps between BCP 47 tags', () => {
    expect(
      steps('  eng-spa\n  es-pt_BR\n  ca-oc_aran\n  fra-oci_gascon\n eng-cat_valencia\n  cat-srd\n fra-frp'),
    ).to.have.members([
      'eng-spa en>es',
      'es-pt_BR es>pt-BR',
      'ca-oc_aran ca>oc-aranes',
      'fra-oci_gascon fr>oc-gascon',
      'eng-cat_valencia en>ca-valencia',
      'cat-srd ca>sc',
      'fra-frp fr>frp',
    ]);
  });

  it('experiments, prototypes and other spellings are not read as steps', () => {
    const listing =
      'en-eo-bytecode spa-ast-old cat-fra_pre2017 eng-cat_valencia_uni eng-hbs_HR eng-hbs hbs-eng spa-eng_US eng README';
    expect(steps(listing)).to.deep.equal([]);
  });

  it('routes to Italian and French go through Catalan where Spanish would be as short', () => {
    for (const listing of [
      'eng-spa eng-cat spa-ita cat-ita es-fr cat-fra',
      'cat-fra es-fr cat-ita spa-ita eng-cat eng-spa',
    ]) {
      const route = findRoutes(readModes(listing));
      expect(route('en', 'it')).to.deep.equal(['en', 'ca', 'it']);
      expect(route('en', 'fr')).to.deep.equal(['en', 'ca', 'fr']);
      expect(route('es', 'fr')).to.deep.equal(['es', 'fr']);
    }
    for (const { weight } of readModes('spa-ita es-fr')) expect(weight).to.be.above(1);
  });

  it('two modes for the same step are read once, by the newer name', () => {
    expect(steps('en-es eng-spa')).to.deep.equal(['eng-spa en>es']);
    expect(steps('eng-spa en-es')).to.deep.equal(['eng-spa en>es']);
  });
});
