/** Which sentence refuses which address: a partner mends it by reading that alone. */
import { expect } from 'chai';
import { addressError } from '../../src/domain/address-rules.ts';

const asked: string[] = [];
const policy = {
  isPublic: (address: string): boolean => {
    asked.push(address);
    return address.startsWith('8.') || address.startsWith('2606:');
  },
  trusted: (host: string, port: number): boolean => host === 'media' && port === 443,
};
function refusal(text: string): string | undefined {
  return addressError('source_url', text, policy);
}
function each(texts: readonly string[], sentence: string | undefined): void {
  for (const text of texts) expect(refusal(text), JSON.stringify(text)).to.equal(sentence);
}

describe('the sentence about an address', () => {
  beforeEach(() => asked.splice(0));

  it('speaks of what readers drop or turn round', () => {
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

  it('speaks of https where the scheme is another, the host is missing or no URL can be read', () => {
    const bad = ['http://example.com/', 'xhttps://example.com/', 'https:example.com', 'https:///a', 'https://?x'];
    each([...bad, 'https://#', '', 'https://1.2.3.4.5/', 'https://a:99999/'], 'source_url must be an https address');
  });

  it('speaks of user name and password where the host’s part has them, and not where the path has an @', () => {
    each(['https://@example.com/', 'https://a:b@example.com'], 'source_url must not contain a user name or password');
    each(['https://example.com/@', 'https://example.com?@', 'https://example.com#@'], undefined);
  });

  it('speaks of the port where it is 0', () => {
    each(['https://example.com:0/', 'https://media:0/'], 'source_url must have a port from 1 to 65535');
    each(['https://example.com:1/', 'https://example.com:65535/'], undefined);
  });

  it('speaks of a name that cannot exist', () => {
    each(['https://a..example.com/', 'https://example.com../'], 'source_url must name a host that can exist');
    each(['https://example.com./'], undefined);
  });

  it('speaks of the public internet where only a network of one’s own knows the name', () => {
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

  it('speaks of a public address where the host is one that is not, and asks about the address as every reader reads it', () => {
    const sentence = 'source_url must lead to a public internet address';
    each(['https://127.0.0.1/', 'https://0x7f.1/', 'https://[::1]/', 'https://10.200.30.255:444/'], sentence);
    each(['https://8.8.8.8/', 'https://[2606:4700::1111]/'], undefined);
    expect(asked).to.deep.equal(['127.0.0.1', '127.0.0.1', '::1', '10.200.30.255', '8.8.8.8', '2606:4700::1111']);
  });

  it('takes a name that only begins or ends like an IP address for a name', () => {
    each(['https://1.2.3.4.example/', 'https://a1.2.3.example/'], undefined);
    expect(asked).to.deep.equal([]);
  });

  it('is none for a host and port that the operator trusts; the usual port counts as given', () => {
    each(['https://media/', 'https://media:443/'], undefined);
    each(['https://media:444/'], 'source_url must name a host on the public internet');
  });
});
