import { assert } from 'chai';
import fc from 'fast-check';
import { runs } from '@vds/testkit/counts';
import { checkedLanguageTag, languageTag, primarySubtag } from '../../src/domain/language-tag.ts';
import { defaultTargets, planTracks, shortOfTargets } from '../../src/domain/plan-tracks.ts';
import { findRoutes, type Pair } from '../../src/domain/routes.ts';

function pairs(list: string, weights: Readonly<Record<string, number>> = {}): Pair[] {
  return list.split(' ').map((pair) => {
    const [from = '', to = ''] = pair.split('>');
    return { from, to, weight: weights[pair] ?? 1 };
  });
}

/** Debian's apertium from English. */
const debian = pairs(
  'en>es en>ca en>ca-valencia en>gl en>eo es>pt es>pt-BR es>ast es>an ca>fr ca>it ca>oc ca>oc-aranes ca>sc fr>frp fr>oc-gascon es>it',
  { 'es>it': 2 },
);

function plan(source = 'en', more = {}) {
  return planTracks({
    source,
    targets: defaultTargets.apertium,
    speechLanguages: ['en'],
    routes: findRoutes(debian),
    hasAudio: true,
    ...more,
  });
}

describe('captions: which tracks a title gets', () => {
  it('makes 16 of an English title with the embedded engines, and says of German and Japanese that there is no way', () => {
    const tracks = plan();
    assert.lengthOf(tracks, 19);
    assert.deepEqual(
      tracks
        .filter(({ status }) => status !== 'processing')
        .map(({ language, status, reason }) => [language, status, reason]),
      [
        ['de', 'skipped', 'no_path'],
        ['ja', 'skipped', 'no_path'],
      ],
    );
    assert.deepEqual(tracks.find(({ language }) => language === 'oc-gascon')?.path, ['en', 'ca', 'fr', 'oc-gascon']);
  });

  it('lists 18 translations for a title in any language, none of them in the language that is spoken', () => {
    for (const targets of Object.values(defaultTargets)) {
      assert.isUndefined(shortOfTargets(targets));
      for (const source of [...targets.map(primarySubtag), 'xx', 'sw']) {
        const [spoken, ...translated] = plan(source, { targets });
        assert.deepEqual([spoken?.language, spoken?.kind, translated.length], [source, 'captions', 18]);
        assert.notInclude(
          translated.map(({ language }) => primarySubtag(language)),
          source,
        );
        assert.deepEqual(new Set(translated.map(({ kind }) => kind)), new Set(['subtitles']));
      }
    }
  });

  it('skips all of them where there is no sound, or nobody who understands the language', () => {
    const reasons = (tracks: ReturnType<typeof plan>): unknown[] => [
      ...new Set(tracks.map(({ status, reason }) => `${status} ${reason}`)),
    ];
    assert.deepEqual(reasons(plan('en', { hasAudio: false })), ['skipped no_audio']);
    assert.deepEqual(reasons(plan('sw')), ['skipped language_unsupported']);
  });

  it('names each track in its own language, says that a machine translated it, and gives no name twice', () => {
    const names = plan().map(({ name }) => name);
    assert.include(names, 'English');
    assert.include(names, 'français (traduction automatique)');
    assert.include(names, 'arpetan (machine translation)');
    assert.include(names, 'valencià (traducció automàtica)');
    assert.include(names, '日本語 (機械翻訳)');
    assert.lengthOf(new Set(names), names.length);
  });

  it('refuses a list that leaves less than 18', () => {
    assert.match(
      shortOfTargets(['en', 'es', 'es', 'pt', 'pt-BR']) ?? '',
      /^3 of 18 targets are left for a title in 'en'/,
    );
  });
});

describe('captions: ways from language to language', () => {
  it('takes the shortest way, of these the cheaper, whatever the order of the pairs', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(debian, { minLength: debian.length }), (shuffled) => {
        const route = findRoutes(shuffled);
        assert.deepEqual(route('en', 'it'), ['en', 'ca', 'it']);
        assert.deepEqual(route('en', 'frp'), ['en', 'ca', 'fr', 'frp']);
      }),
      { numRuns: runs(20) },
    );
  });

  it('finds a way of at most three hops exactly where there is one, and none is shorter', () => {
    const node = fc.constantFrom(...'abcdefgh'.split(''));
    const graph = fc.array(fc.record({ from: node, to: node, weight: fc.integer({ min: 1, max: 5 }) }), {
      maxLength: 24,
    });
    fc.assert(
      fc.property(graph, (edges) => {
        const route = findRoutes(edges);
        const reached = new Set(['a']);
        for (let hops = 1; hops <= 4; hops += 1) {
          const next = edges.filter(({ from, to }) => reached.has(from) && !reached.has(to)).map(({ to }) => to);
          for (const target of next) {
            const way = route('a', target);
            assert.equal(way?.length, hops > 3 ? undefined : hops + 1);
            for (const [index, to] of (way ?? []).slice(1).entries()) {
              assert.isTrue(edges.some((edge) => edge.from === way?.[index] && edge.to === to));
            }
          }
          for (const target of next) reached.add(target);
        }
        for (const target of 'abcdefgh') if (!reached.has(target)) assert.isUndefined(route('a', target));
      }),
      { numRuns: runs(200) },
    );
  });
});

describe('captions: language tags', () => {
  it('takes BCP 47 in its canonical form and refuses everything else', () => {
    assert.deepEqual(['pt-br', 'CA-VALENCIA', 'oc-aranes', 'frp', 'zh-hans', 'eng'].map(languageTag), [
      ...['pt-BR', 'ca-valencia', 'oc-aranes', 'frp', 'zh-Hans', 'en'],
    ]);
    for (const tag of [
      '',
      'e',
      'english',
      'en_US',
      '../en',
      'en-',
      'en-u-ca-buddhist',
      'x-private',
      'ca-valencia-valencia',
      'en\n',
    ]) {
      assert.isUndefined(languageTag(tag), tag);
    }
    assert.throws(() => checkedLanguageTag('en_US'), /no BCP 47 language tag/);
  });
});
