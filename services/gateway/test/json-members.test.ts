import { expect } from 'chai';
import fc from 'fast-check';
import { duplicateMember } from '../src/domain/json-members.ts';

describe('duplicate members of a JSON text', () => {
  it('duplicate members are found in any object and in any escaping', () => {
    expect(duplicateMember('{"a":1,"a":2}')).to.equal('a');
    expect(duplicateMember('{"a":1,"\\u0061":2}')).to.equal('a');
    expect(duplicateMember('{"x":[{"b":{}},{"b":1,"c":"}","b":2}]}')).to.equal('b');
    expect(duplicateMember('{ "" : 1 , "" : 2 }')).to.equal('');
    expect(duplicateMember('{"a\\"":1,"b":"a\\"","a\\"":2}')).to.equal('a"');
  });

  it('equal names in different objects, and values equal to names, are not duplicates', () => {
    expect(duplicateMember('{"a":"a","b":["a","a"],"c":{"a":1},"d":[{"a":1},{"a":2}]}')).to.equal(undefined);
  });

  it('the output of JSON.stringify has no duplicate members', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1), (value, indent) => {
        expect(duplicateMember(JSON.stringify(value, null, indent))).to.equal(undefined);
      }),
    );
  });

  it('a member added again to any object is found', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), fc.jsonValue(), (value, again) => {
        const [name = ''] = Object.keys(value);
        const text = `${JSON.stringify(value).slice(0, -1)},${JSON.stringify(name)}:${JSON.stringify(again)}}`;
        expect(duplicateMember(`[0,${text}]`)).to.equal(name);
      }),
    );
  });

  it('duplicate members are found in texts of the maximum depth and length of a body', () => {
    const deep = `${'['.repeat(120_000)}${']'.repeat(120_000)}`;
    expect(duplicateMember(deep)).to.equal(undefined);
    expect(duplicateMember(`{"a":"${'\\n'.repeat(120_000)}","a":1}`)).to.equal('a');
  });
});
