import { expect } from 'chai';
import { rejectionFaults } from './rejections.ts';

describe('the check of rejected values', () => {
  it('the check of rejected values requires a rejection that mentions the wrong value', () => {
    expect(rejectionFaults({ mentions: '/image/tag' }, 1, "at '/image/tag': 'not' failed")).to.deep.equal([]);
    expect(rejectionFaults({ mentions: '/image/tag' }, 0, '')).to.deep.equal(['is accepted']);
    expect(rejectionFaults({ mentions: ['one', 'two'] }, 1, 'about one')[0]).to.include('without mentioning two');
  });
  it('the check of rejected values finds a rejection by an error of the template', () => {
    const text = 'template: x: executing "x" at <.Values.a.b>: nil pointer evaluating interface {}.b';
    expect(rejectionFaults({ mentions: '.b' }, 1, text)[0]).to.include('by an error of the template');
  });
});
