import { assert, expect } from 'chai';
import fc from 'fast-check';
import { runs } from '@vds/testkit/counts';
import { checkedLanguageTag, languageTag, primarySubtag } from '../../src/domain/language-tag.ts';
import { defaultTargets, planTracks, describeTargetShortage } from '../../src/domain/plan-tracks.ts';
import { findRoutes, routesThrough, type Pair } from '../../src/domain/routes.ts';

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
    targets: defaultTargets('apertium'),
    speechLanguages: ['en'],
    routes: routesThrough(findRoutes(debian), false),
    hasAudio: true,
    provided: [],
    ...more,
  });
}

describe('planTracks', () => {
  it('the embedded engines make 16 translations of an English video, with no route to German and Japanese', () => {
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

  it('through English made of the sound, a Korean video gets English and what English is translated into', () => {
    const routes = routesThrough(findRoutes(debian), true);
    const tracks = plan('ko', { speechLanguages: ['ko'], routes });
    const made = tracks.filter(({ status }) => status === 'processing');
    // The spoken one and 17 translations.
    assert.lengthOf(made, 18);
    assert.deepEqual(
      tracks.filter(({ reason }) => reason === 'no_path').map(({ language }) => language),
      ['de'],
    );
    assert.include(made[1], { language: 'en', kind: 'subtitles', name: 'English (machine translation)' });
    assert.deepEqual(made[1]?.path, ['ko', 'en']);
    assert.deepEqual(made.find(({ language }) => language === 'oc-gascon')?.path, [
      'ko',
      'en',
      'ca',
      'fr',
      'oc-gascon',
    ]);
  });

  it('a video in any language gets 18 translations, none of them in the spoken language', () => {
    for (const targets of [defaultTargets('apertium'), defaultTargets('libretranslate')]) {
      assert.isUndefined(describeTargetShortage(targets));
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

  it('every track is skipped without sound, or without an engine that transcribes the language', () => {
    const reasons = (tracks: ReturnType<typeof plan>): unknown[] => [
      ...new Set(tracks.map(({ status, reason }) => `${status} ${reason}`)),
    ];
    assert.deepEqual(reasons(plan('en', { hasAudio: false })), ['skipped no_audio']);
    assert.deepEqual(reasons(plan('sw')), ['skipped language_unsupported']);
  });

  it('each track is named in its own language and marked as a machine translation, no two names are equal', () => {
    const names = plan().map(({ name }) => name);
    assert.include(names, 'English');
    assert.include(names, 'français (traduction automatique)');
    assert.include(names, 'arpetan (machine translation)');
    assert.include(names, 'valencià (traducció automàtica)');
    assert.include(names, '日本語 (機械翻訳)');
    assert.lengthOf(new Set(names), names.length);
  });

  it('the languages with the most viewers come first, and those without an engine displace none that is made', () => {
    const languages = (targets: readonly string[]): string =>
      plan('en', { targets })
        .map((track) => track.language)
        .join(' ');
    expect(languages(defaultTargets('apertium'))).to.match(/^en es pt-BR fr de it pt ca .* ja$/);
    expect(languages(defaultTargets('libretranslate'))).to.equal(
      'en es pt fr de it ar hi ja ko zh ru tr id nl pl vi th uk',
    );
    // Every spoken language that Whisper makes English of has 16 or more of 18 made.
    const routes = routesThrough(findRoutes(debian), true);
    for (const source of ['en', 'ko', 'de', 'ar', 'ja', 'sw']) {
      const tracks = plan(source, { speechLanguages: ['*'], routes });
      expect(tracks.filter(({ status }) => status === 'processing').length - 1, source).to.be.at.least(16);
    }
  });

  it('a list of targets that leaves fewer than 18 is reported', () => {
    assert.match(
      describeTargetShortage(['en', 'es', 'es', 'pt', 'pt-BR']) ?? '',
      /^3 of 18 targets are left for a video in 'en'/,
    );
  });
});

describe('findRoutes', () => {
  it('the shortest route is taken, of several the cheapest, whatever the order of the pairs', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(debian, { minLength: debian.length }), (shuffled) => {
        const route = findRoutes(shuffled);
        assert.deepEqual(route('en', 'it'), ['en', 'ca', 'it']);
        assert.deepEqual(route('en', 'frp'), ['en', 'ca', 'fr', 'frp']);
      }),
      { numRuns: runs(20) },
    );
  });

  it('a route of at most three hops is found exactly where there is one, and none is shorter', () => {
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

describe('routesThrough', () => {
  const routes = routesThrough(findRoutes([...debian, ...pairs('es>en')]), true);

  it('a route through the pairs is taken where there is one, even a longer one', () => {
    assert.deepEqual(routes('es', 'en'), { from: 'text', path: ['es', 'en'] });
    assert.deepEqual(routes('es', 'ca'), { from: 'text', path: ['es', 'en', 'ca'] });
    assert.deepEqual(routes('pt', 'ca'), { from: 'speech', path: ['pt', 'en', 'ca'] });
  });

  it('English made of the sound serves English of any region, and is not a hop of the translations that follow', () => {
    assert.deepEqual(routes('ko', 'en'), { from: 'speech', path: ['ko', 'en'] });
    assert.deepEqual(routes('ko', 'en-GB'), { from: 'speech', path: ['ko', 'en-GB'] });
    assert.deepEqual(routes('zh-Hant', 'frp'), { from: 'speech', path: ['zh-Hant', 'en', 'ca', 'fr', 'frp'] });
    assert.isUndefined(routes('ko', 'ja'));
  });

  it('English is not made of English, and nothing is translated into its own language', () => {
    assert.isUndefined(routes('en-GB', 'en'));
    assert.isUndefined(routes('en-GB', 'es'));
    assert.isUndefined(routes('pt', 'pt-BR'));
  });

  it('a speech engine that makes no English adds no route', () => {
    fc.assert(
      fc.property(fc.constantFrom('ko', 'es', 'en', 'fr'), fc.constantFrom('en', 'es', 'oc', 'ja'), (from, to) => {
        const path = findRoutes(debian)(from, to);
        assert.deepEqual(routesThrough(findRoutes(debian), false)(from, to), path && { from: 'text', path });
      }),
      { numRuns: runs(20) },
    );
  });
});

describe('languageTag', () => {
  it('languageTag returns BCP 47 in its canonical form and rejects everything else', () => {
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

  it('captions inside the file take the place of what would be made, and of the last targets else', () => {
    const all = plan('en', { provided: ['es', 'ko', 'de-CH'] });
    expect(all).to.have.length(19);
    const provided = all.filter((track) => track.provided);
    expect(provided.map(({ language }) => language)).to.deep.equal(['es', 'de', 'ko']);
    for (const { status, path, language, name } of provided) {
      expect({ status, path }).to.deep.equal({ status: 'processing', path: [language] });
      expect(name).not.to.include('(');
    }
    const before = plan().map(({ language }) => language);
    expect(all.map(({ language }) => language).filter((language) => !before.includes(language))).to.deep.equal(['ko']);
  });

  it('what the partner has written down needs no engine and no sound', () => {
    const [spoken, ...others] = plan('ko', { provided: ['ko', 'fr'], hasAudio: false, speechLanguages: [] });
    expect(spoken).to.include({ provided: true, status: 'processing' });
    expect(others.find(({ language }) => language === 'fr')).to.include({ provided: true, status: 'processing' });
    expect(new Set(others.filter(({ provided }) => !provided).map(({ reason }) => reason))).to.deep.equal(
      new Set(['no_path']),
    );
    const mute = plan('ko', { provided: ['fr'], hasAudio: false });
    expect(mute[0]).to.include({ status: 'skipped', reason: 'no_audio' });
    expect(mute.filter(({ status }) => status === 'processing').map(({ language }) => language)).to.deep.equal(['fr']);
  });
});
