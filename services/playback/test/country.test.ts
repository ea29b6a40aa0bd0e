import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { parseNetworks } from '@vds/chassis/net/public-address';
import { openCountries } from '../src/outbound/country.ts';

function from(remoteAddress: string, headers: Readonly<Record<string, string>> = {}): IncomingMessage {
  return { socket: { remoteAddress }, headers } as unknown as IncomingMessage;
}

describe('the country of a viewer', () => {
  it('a country is known without any setting for the addresses of registries and carriers, and empty for private ones', async () => {
    const countryOf = await openCountries({ header: undefined, trusted: [], databaseFile: undefined });
    // RIPE NCC, the University of Tokyo, NIC.br, 1&1, FDN and Korea Telecom, by what they announce themselves.
    const expected = {
      ...{ '193.0.6.139': 'NL', '133.11.0.1': 'JP', '200.160.2.3': 'BR', '217.160.0.1': 'DE' },
      ...{ '80.67.169.12': 'FR', '::ffff:203.248.252.2': 'KR', '10.0.0.1': '', '2001:67c:2e8::1': '', '': '' },
    };
    const found = Object.keys(expected).map((address) => [address, countryOf(from(address))]);
    expect(Object.fromEntries(found)).to.deep.equal(expected);
  });

  it('a country is what a trusted hop says, before any database, and never what a stranger says', async () => {
    const trusted = parseNetworks(['192.0.2.0/24']);
    const countryOf = await openCountries({ header: 'cf-ipcountry', trusted, databaseFile: undefined });
    const headers = { 'cf-ipcountry': 'IE', 'x-forwarded-for': '193.0.6.139' };
    expect(countryOf(from('192.0.2.1', headers))).to.equal('IE');
    expect(countryOf(from('192.0.2.1', { ...headers, 'cf-ipcountry': 'XX' }))).to.equal('NL');
    expect(countryOf(from('133.11.0.1', headers))).to.equal('JP');
  });
});
