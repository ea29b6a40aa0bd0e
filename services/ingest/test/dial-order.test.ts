import { expect } from 'chai';
import { dialOrder } from '../src/domain/dial-order.ts';

describe('the order of a name’s addresses', () => {
  it('both families are tried in turn, however many addresses one of them has', () => {
    const v4 = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4', '192.0.2.5'];
    expect(dialOrder([...v4, '64:ff9b::1', '64:ff9b::2'], 4)).to.deep.equal([v4[0], '64:ff9b::1', v4[1], '64:ff9b::2']);
    expect(dialOrder([...v4, '64:ff9b::1'], 4)).to.deep.equal([v4[0], '64:ff9b::1', v4[1], v4[2]]);
  });

  it('addresses of one family are tried in their order', () => {
    expect(dialOrder(['192.0.2.2', '192.0.2.1'], 4)).to.deep.equal(['192.0.2.2', '192.0.2.1']);
    expect(dialOrder(['2001:db8::2', '2001:db8::1', '2001:db8::3'], 2)).to.deep.equal(['2001:db8::2', '2001:db8::1']);
    expect(dialOrder([], 4)).to.deep.equal([]);
  });
});
