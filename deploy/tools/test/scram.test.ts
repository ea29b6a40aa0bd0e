import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { scramVerifier } from '../provision/scram.ts';

// The exchange of RFC 7677, section 3.
const salt = 'W22ZaJ0SNY7soEsUEjb6gQ==';
const nonce = 'rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0';
const authMessage = `n=user,r=rOprNGfwEbeRWgbNEkqO,r=${nonce},s=${salt},i=4096,c=biws,r=${nonce}`;
const serverSignature = '6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=';

describe('a SCRAM-SHA-256 verifier', () => {
  it('a SCRAM-SHA-256 verifier signs the exchange of RFC 7677 as its server does', () => {
    const verifier = scramVerifier('pencil', Buffer.from(salt, 'base64'));
    const [, serverKey = ''] = /:([^:]+)$/.exec(verifier) ?? [];
    expect(verifier).to.match(/^SCRAM-SHA-256\$4096:W22ZaJ0SNY7soEsUEjb6gQ==\$[A-Za-z0-9+/]{43}=:[A-Za-z0-9+/]{43}=$/);
    expect(createHmac('sha256', Buffer.from(serverKey, 'base64')).update(authMessage).digest('base64')).to.equal(
      serverSignature,
    );
  });
  it('a SCRAM-SHA-256 verifier does not contain the password and is new every time', () => {
    const [first, second] = [scramVerifier('pencil'), scramVerifier('pencil')];
    expect(first).not.to.include('pencil').and.not.to.equal(second);
  });
  it('a SCRAM-SHA-256 verifier is refused for a password whose bytes clients could disagree about', () => {
    for (const password of ['pässword', 'tab\t', '']) expect(() => scramVerifier(password)).to.throw('printable ASCII');
  });
});
