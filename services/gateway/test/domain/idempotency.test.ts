/** When two bodies are the same request. */
import { isDeepStrictEqual } from 'node:util';
import { runs } from '@vds/testkit/counts';
import { expect } from 'chai';
import fc from 'fast-check';
import { canonicalJson } from '../../src/domain/idempotency.ts';

function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, member]) => [name, shuffled(member)]),
  );
}

describe('bodies as parsed JSON', () => {
  it('two values have the same canonical text exactly if they are equal, whatever the order of members', () => {
    const values = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);
    fc.assert(
      fc.property(values, values, (one, two) => {
        expect(canonicalJson(one)).to.equal(canonicalJson(shuffled(one)));
        expect(canonicalJson(one) === canonicalJson(two)).to.equal(isDeepStrictEqual(one, two));
      }),
      { numRuns: runs(500) },
    );
  });

  it('nesting, names and numbers that look alike are told apart', () => {
    const texts = ['[[],[]]', '[[[]]]', '{"a":{},"b":1}', '{"a":{"b":1}}', '["1"]', '[1]', '[null]', '[1e999]', '[-1e999]', '{}', '[]', '{"__proto__":1}', '"{}"', '["[0"]']; // prettier-ignore
    expect(new Set(texts.map((text) => canonicalJson(JSON.parse(text)))).size).to.equal(texts.length);
    expect(canonicalJson(JSON.parse('{"x":1.0e1}'))).to.equal(canonicalJson({ x: 10 }));
  });

  it('a body of brackets only is compared without recursion', () => {
    const text = '['.repeat(120_000) + ']'.repeat(120_000);
    expect(canonicalJson(JSON.parse(text))).to.have.length.above(120_000);
  });
});
