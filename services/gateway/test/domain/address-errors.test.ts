/** The error message of each invalid address: a partner must be able to fix it with only the message. */
import { expect } from 'chai';
import { addressError } from '../../src/domain/address-rules.ts';

const checked: string[] = [];
const policy = {
  isPublic: (address: string): boolean => {
    checked.push(address);
    return address.startsWith('8.') || address.startsWith('2606:');
  },
  trusted: (host: string, port: number): boolean => host === 'media' && port === 443,
};
function errorOf(text: string): string | undefined {
  const rule = addressError(text, policy);
  return rule && `source_url ${rule}`;
}
function each(texts: readonly string[], message: string | undefined): void {
  for (const text of texts) expect(errorOf(text), JSON.stringify(text)).to.equal(message);
}

describe('the validation error of an address', () => {
  beforeEach(() => checked.splice(0));

  it('the error about characters that parsers drop or convert names them', () => {
    each(
      [
        'https://exam\tple.com/',
        ' https://example.com',
        'https://example.com/\u0000',
        'https://a.example\\b',
        '\u200e',
      ],
      'source_url must not contain white space, control characters or a backslash; percent-encode them',
    );
  });

  it('an address with another scheme, without a host or not a URL must be https', () => {
    const bad = ['http://example.com/', 'xhttps://example.com/', 'https:example.com', 'https:///a', 'https://?x'];
    each([...bad, 'https://#', '', 'https://1.2.3.4.5/', 'https://a:99999/'], 'source_url must be an https address');
  });

  it('a user name in the authority is an error, an @ in the path is not', () => {
    each(['https://@example.com/', 'https://a:b@example.com'], 'source_url must not contain a user name or password');
    each(['https://example.com/@', 'https://example.com?@', 'https://example.com#@'], undefined);
  });

  it('port 0 is an error of the port', () => {
    each(['https://example.com:0/', 'https://media:0/'], 'source_url must have a port from 1 to 65535');
    each(['https://example.com:1/', 'https://example.com:65535/'], undefined);
  });

  it('an impossible name is an error of the host', () => {
    each(['https://a..example.com/', 'https://example.com../'], 'source_url must name a host that can exist');
    each(['https://example.com./'], undefined);
  });

  it('a name of an internal network must be on the public internet', () => {
    const names = [
      'intranet',
      'localhost',
      'a.localhost',
      'a.local',
      'a.internal',
      'home.arpa',
      'a.home.arpa',
      'a.local.',
    ];
    each(
      names.map((name) => `https://${name}/`),
      'source_url must name a host on the public internet',
    );
    each(['https://local.example/', 'https://alocal.example/', 'https://xhome.arpa/'], undefined);
  });

  it('an IP address that is not public is an error, in its normalized notation', () => {
    const message = 'source_url must lead to a public internet address';
    each(['https://127.0.0.1/', 'https://0x7f.1/', 'https://[::1]/', 'https://10.200.30.255:444/'], message);
    each(['https://8.8.8.8/', 'https://[2606:4700::1111]/'], undefined);
    expect(checked).to.deep.equal(['127.0.0.1', '127.0.0.1', '::1', '10.200.30.255', '8.8.8.8', '2606:4700::1111']);
  });

  it('a name that only starts or ends like an IP address is a name', () => {
    each(['https://1.2.3.4.example/', 'https://a1.2.3.example/'], undefined);
    expect(checked).to.deep.equal([]);
  });

  it('a trusted host and port has no error, and 443 is the default port', () => {
    each(['https://media/', 'https://media:443/'], undefined);
    each(['https://media:444/'], 'source_url must name a host on the public internet');
  });
});
