import { expect } from 'chai';
import fc from 'fast-check';
import { isNotModified, isRangeAllowed, readRange } from '../src/domain/conditional-requests.ts';
import { isServable, printablePath, readPath } from '../src/domain/media-path.ts';
import { runs } from '@vds/testkit/counts';

const token = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJwYmsxIn0.c2lnbmF0dXJlLXNpZ25hdHVyZQ';

/** Paths below a token of a form or type that is not served. */
const below = [
  '',
  '/',
  '../x.m4s',
  'a/../x.m4s',
  'a/..',
  'a//x.m4s',
  './x.m4s',
  'a/.hidden.m4s',
  '%2e%2e/x.m4s',
  'a%2fx.m4s',
  'a\\x.m4s',
  'x',
  'x.json',
  'assemble.1/ladder.json',
  'x.m4s.exe',
  'x.mp4/',
  'x.toString',
  `${'a/'.repeat(9)}x.m4s`,
  'c/en/track.json',
  'c/en/seg.m4s',
  'c/en/',
  'c/en',
  'c/index.m3u8',
  'c/en/a/index.m3u8',
  'c/../index.m3u8',
  'c/en/../index.m3u8',
  'c/e_n/index.m3u8',
  'c/en-/index.m3u8',
  'c//index.m3u8',
  'é.m4s',
  'a b.m4s',
  'x.m4s\u0000',
];

describe('paths of viewers', () => {
  it('a path is parsed into its kind and ids', () => {
    expect(readPath('/pbk1.m3u8')).to.deep.equal({ kind: 'entry', playbackId: 'pbk1' });
    expect(readPath('/t/pbk1abcdefghijklmnopqrstuvw.jpg')).to.deep.equal({
      kind: 'thumbnail',
      playbackId: 'pbk1abcdefghijklmnopqrstuvw',
    });
    expect(readPath(`/p/${token}/pbk1/master.m3u8`)).to.deep.equal({ kind: 'master', token, playbackId: 'pbk1' });
    expect(readPath(`/p/${token}/pbk1/storyboard.vtt`)).to.deep.equal({
      kind: 'storyboard',
      token,
      playbackId: 'pbk1',
    });
    expect(readPath(`/p/${token}/pbk1/piece-0.2/v/720p/seg-00001.m4s`)).to.deep.equal({
      kind: 'file',
      token,
      playbackId: 'pbk1',
      path: 'piece-0.2/v/720p/seg-00001.m4s',
    });
  });

  it('a captions path is parsed into language and file', () => {
    for (const [language, file] of [
      ['en', 'index.m3u8'],
      ['pt-BR', 'seg-00000.vtt'],
      ['ca-valencia', 'captions.vtt'],
    ])
      expect(readPath(`/p/${token}/pbk1/c/${language}/${file}`)).to.deep.equal({
        kind: 'captions',
        token,
        playbackId: 'pbk1',
        language,
        file,
      });
  });

  it('paths of another form or type are rejected', () => {
    for (const path of [
      '/',
      '',
      '/x',
      '/a/b.m3u8',
      '/.m3u8',
      '/t/a.png',
      '/t/pbk1.jpg',
      `/t/pbk1abcdefghijklmnopqrstuvw`,
      `/t/pbk1abcdefghijklmnopqrstuvwx.jpg`,
      '/t/pbk1abcdefghijklmnopqrstuv_.jpg',
      '/t/a/b.jpg',
      `/${'x'.repeat(65)}.m3u8`,
      '/p',
      '/p//a/master.m3u8',
      `/p/${token}/master.m3u8`,
      `//p/${token}/a/x.m4s`,
      ...below.map((rest) => `/p/${token}/pbk1/${rest}`),
    ])
      expect(readPath(path), path).to.equal(undefined);
  });

  it('no path leads outside of the attempt', () => {
    const pieces = fc.constantFrom(
      '..',
      '.',
      'a',
      '/',
      '//',
      '\\',
      '%2e',
      '%2f',
      '.m4s',
      'x.m4s',
      '\u0000',
      ' ',
      '~',
      '-',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const path = parts.join('');
        if (!isServable(path)) return;
        expect(new URL(`http://h/base/${path}`).pathname).to.equal(`/base/${path}`);
        expect(path.split('/')).not.to.include.members(['..']);
      }),
      { numRuns: runs(3_000) },
    );
  });

  it('paths are logged without the token, even malformed ones', () => {
    expect(printablePath(`/p/${token}/pbk1/master.m3u8`)).to.equal('/p/-/pbk1/master.m3u8');
    for (const path of [`/p/${token}`, `//p/${token}/x`, `/x/${token}/y`, `/${token}.m3u8`, `/p/x/${token}/y`])
      expect(printablePath(path)).not.to.include('c2lnbmF0dXJl');
  });
});

describe('byte ranges', () => {
  const size = 100;
  const part = (start: number, length: number) => ({ kind: 'part', start, length });
  const table: readonly (readonly [header: string | undefined, selection: object])[] = [
    [undefined, { kind: 'whole' }],
    ['bytes=0-9', part(0, 10)],
    ['bytes=90-', part(90, 10)],
    ['bytes=-10', part(90, 10)],
    ['bytes=-1000', part(0, 100)],
    ['bytes=99-200', part(99, 1)],
    ['BYTES=0-0', part(0, 1)],
    ['bytes=100-', { kind: 'unsatisfiable' }],
    ['bytes=-0', { kind: 'unsatisfiable' }],
    ['bytes=0-9,20-29', { kind: 'whole' }],
    ['bytes=9-0', { kind: 'whole' }],
    ['bytes=a-b', { kind: 'whole' }],
    ['bytes=-', { kind: 'whole' }],
    ['items=0-9', { kind: 'whole' }],
    ['', { kind: 'whole' }],
  ];
  for (const [header, selection] of table)
    it(`the range ${header} of 100 bytes is ${JSON.stringify(selection)}`, () =>
      expect(readRange(header, size)).to.deep.equal(selection));

  it('a byte range never exceeds the object', () => {
    const text = fc.oneof(fc.nat(300).map(String), fc.constant(''), fc.constant('9'.repeat(30)));
    fc.assert(
      fc.property(text, text, fc.nat(200), (from, to, length) => {
        const selection = readRange(`bytes=${from}-${to}`, length);
        if (selection.kind !== 'part') return;
        expect(selection.start).to.be.at.least(0);
        expect(selection.length).to.be.at.least(1);
        expect(selection.start + selection.length).to.be.at.most(length);
      }),
    );
  });
});

describe('conditional requests', () => {
  it('If-None-Match matches when any of its tags is the object’s', () => {
    for (const header of ['"a"', 'W/"a"', '"b", "a"', '*', '"b",W/"a"'])
      expect(isNotModified(header, '"a"'), header).to.equal(true);
    for (const header of [undefined, '"b"', 'a', '""', '"aa"'])
      expect(isNotModified(header, '"a"'), header).to.equal(false);
  });

  it('If-Range allows a range only for the same version', () => {
    const date = new Date('2026-01-02T03:04:05Z');
    for (const header of [undefined, '"a"', date.toUTCString()])
      expect(isRangeAllowed(header, '"a"', date)).to.equal(true);
    for (const header of ['"b"', 'W/"a"', 'Fri, 02 Jan 2026 03:04:04 GMT', 'x'])
      expect(isRangeAllowed(header, '"a"', date), header).to.equal(false);
  });
});
