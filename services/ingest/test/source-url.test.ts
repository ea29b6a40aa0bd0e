import { expect } from 'chai';
import { parseSourceUrl, redirectLocation } from '../src/domain/source-url.ts';

const nothingPinned = (): boolean => false;
const parse = (text: string, base?: string) =>
  parseSourceUrl(text, base === undefined ? undefined : new URL(base), nothingPinned);
const reasonOf = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return (error as { reason?: string }).reason;
  }
  return 'nothing was thrown';
};

describe('the text of a source address', () => {
  it('may be any https address with a public name and any port', () => {
    expect(parse('https://media.example:8443/a.mp4?x=1').href).to.equal('https://media.example:8443/a.mp4?x=1');
  });

  for (const text of [
    'http://media.example/a.mp4',
    'ftp://media.example/a.mp4',
    'file:///etc/passwd',
    'data:video/mp4;base64,AAAA',
    'https://user@media.example/a.mp4',
    'https://user:secret@media.example/a.mp4',
    'https://:secret@media.example/a.mp4',
    'https://localhost/a.mp4',
    'https://LOCALHOST./a.mp4',
    'https://intranet/a.mp4',
    'https://a.localhost/',
    'https://printer.local/',
    'https://metadata.google.internal/',
    'https://router.home.arpa./',
    'not an address',
    'https://',
    'https://./',
  ])
    it(`is refused when it is ${text}`, () => expect(reasonOf(() => parse(text))).to.equal('address_blocked'));

  it('may have a private name where the operator pinned that host', () => {
    const url = parseSourceUrl('https://media:8443/a', undefined, ({ host }) => host === 'media:8443');
    expect(url.hostname).to.equal('media');
  });

  it('is read relative to the address that redirected', () => {
    expect(parse('../b.mp4', 'https://media.example/x/y/a.mp4').href).to.equal('https://media.example/x/b.mp4');
    expect(parse('//other.example/b.mp4', 'https://media.example/a').href).to.equal('https://other.example/b.mp4');
  });

  it('is refused when a redirect leaves https or brings user info', () => {
    expect(reasonOf(() => parse('http://media.example/', 'https://media.example/'))).to.equal('address_blocked');
    expect(reasonOf(() => parse('https://a:b@media.example/', 'https://media.example/'))).to.equal('address_blocked');
    expect(reasonOf(() => parse('https://[::', 'https://media.example/'))).to.equal('redirect_broken');
  });
});

describe('a redirect', () => {
  it('is one of five statuses, and anything else is an answer', () => {
    for (const status of [301, 302, 303, 307, 308]) expect(redirectLocation(status, '/b', 0, 5)).to.equal('/b');
    for (const status of [200, 206, 300, 304, 404]) expect(redirectLocation(status, '/b', 0, 5)).to.equal(undefined);
  });

  it('is followed five times and not six', () => {
    expect(redirectLocation(302, '/b', 4, 5)).to.equal('/b');
    expect(reasonOf(() => redirectLocation(302, '/b', 5, 5))).to.equal('redirects_exceeded');
  });

  it('must have a location', () => {
    expect(reasonOf(() => redirectLocation(302, undefined, 0, 5))).to.equal('redirect_broken');
  });
});
