import { expect } from 'chai';
import { readCredentials } from '../src/domain/credentials.ts';

describe('the credentials of a request', () => {
  it('credentials are the key after the scheme, in any case', () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR '])
      expect(readCredentials([`${scheme} svc_live_x`])).to.deep.equal({ kind: 'key', key: 'svc_live_x' });
  });

  it('credentials are missing without a header or with an empty one', () => {
    for (const headers of [[], [''], ['  ']]) expect(readCredentials(headers)).to.deep.equal({ kind: 'missing' });
  });

  it('credentials in two headers, with another scheme, or without exactly one token are malformed', () => {
    for (const headers of [
      ['Bearer a', 'Bearer a'],
      ['', 'Bearer a'],
      ['', ''],
      ['Basic YTpi'],
      ['Bearer'],
      ['Bearer '],
      ['Bearera'],
      ['Bearer a b'],
      ['Bearer a,b c'],
      ['svc_live_x'],
      ['Bearer ä'],
    ])
      expect(readCredentials(headers), JSON.stringify(headers)).to.deep.equal({ kind: 'malformed' });
  });
});
