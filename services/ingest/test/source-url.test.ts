import { expect } from 'chai';
import { parseSourceUrl, redirectLocation } from '../src/domain/source-url.ts';

function nothingPinned(): boolean {
  return false;
}
function parse(text: string) {
  return parseSourceUrl(text, nothingPinned);
}
function faultOf(work: () => unknown): { reason?: string; details?: unknown } {
  try {
    work();
  } catch (error) {
    return error as { reason?: string; details?: unknown };
  }
  return { reason: 'nothing was thrown' };
}
function reasonOf(work: () => unknown): unknown {
  return faultOf(work).reason;
}

describe('the text of a source address', () => {
  it('a source address may be any https address with a public name and any port', () => {
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
    it(`the source address ${text} is rejected`, () => expect(reasonOf(() => parse(text))).to.equal('address_blocked'));

  it('a source address may have a private name where the operator pinned that host', () => {
    const url = parseSourceUrl('https://media:8443/a', ({ host }) => host === 'media:8443');
    expect(url.hostname).to.equal('media');
  });
});

describe('a redirect', () => {
  const goesTo = (status: number, location: string | undefined, followed = 0, from = 'https://media.example/a') =>
    redirectLocation({ status, location, from: new URL(from) }, followed, 5);

  it('a response is a redirect for five statuses and for no other', () => {
    for (const status of [301, 302, 303, 307, 308]) expect(goesTo(status, '/b')).to.equal('https://media.example/b');
    for (const status of [200, 206, 300, 304, 404]) expect(goesTo(status, '/b')).to.equal(undefined);
  });

  it('the location of a redirect is resolved relative to the redirecting address', () => {
    expect(goesTo(302, '../b.mp4', 0, 'https://media.example/x/y/a.mp4')).to.equal('https://media.example/x/b.mp4');
    expect(goesTo(302, '//other.example/b.mp4')).to.equal('https://other.example/b.mp4');
  });

  it('bytes beyond ASCII in the location of a redirect are percent-encoded as browsers do', () => {
    const received = (location: string): string => Buffer.from(location).toString('latin1');
    expect(goesTo(302, received('/vídeos/決勝 1.mp4?t=é%2F&u=ü#ñ'))).to.equal(
      'https://media.example/v%C3%ADdeos/%E6%B1%BA%E5%8B%9D%201.mp4?t=%C3%A9%2F&u=%C3%BC#%C3%B1',
    );
    expect(goesTo(302, received('https://bücher.example/ü.mp4'))).to.equal('https://xn--bcher-kva.example/%C3%BC.mp4');
    expect(goesTo(302, '/caf\xe9.mp4')).to.equal('https://media.example/caf%E9.mp4');
  });

  it('a redirect is followed five times, and the sixth is a fault with the limit in its details', () => {
    expect(goesTo(302, '/b', 4)).to.equal('https://media.example/b');
    expect(faultOf(() => goesTo(302, '/b', 5))).to.deep.include({
      reason: 'redirects_exceeded',
      details: { http_status: '302', redirects: '5' },
    });
  });

  it('a redirect without a valid location is a fault', () => {
    for (const location of [undefined, '', 'https://[::', 'https://'])
      expect(
        faultOf(() => goesTo(308, location)),
        location,
      ).to.deep.include({
        reason: 'redirect_invalid',
        details: { http_status: '308' },
      });
  });
});
