/** Properties of the fusion of what words and meaning found. */
import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '@vds/testkit/counts';
import { fuse, type ByMeaning, type ByWords } from '../src/domain/fusion.ts';

const ids = fc.uniqueArray(
  fc.integer({ min: 0, max: 30 }).map((id) => `v${id}`),
  { maxLength: 25 },
);
const words = ids.chain((found) =>
  fc
    .array(fc.boolean(), { minLength: found.length, maxLength: found.length })
    .map((named) => found.map((id, at): ByWords => ({ id, named: named[at] ?? false }))),
);
const meaning = ids.map((found) => found.map((id): ByMeaning => ({ id })));

function idsOf(list: readonly { readonly id: string }[]): string[] {
  return list.map(({ id }) => id);
}

function holds(check: (words: readonly ByWords[], meaning: readonly ByMeaning[]) => void): void {
  fc.assert(fc.property(words, meaning, check), { numRuns: runs(300) });
}

describe('the fusion of words and meaning', () => {
  it('every video of both lists is there once, the best first', () => {
    holds((byWords, byMeaning) => {
      const fused = fuse(byWords, byMeaning);
      expect(idsOf(fused)).to.have.members([...new Set([...idsOf(byWords), ...idsOf(byMeaning)])]);
      expect(fused.map(({ score }) => score)).to.deep.equal(fused.map(({ score }) => score).toSorted((a, b) => b - a));
    });
  });
  it('without meaning the order is that of the words, but for named videos, which are first', () => {
    holds((byWords) => {
      const expected = [...byWords.filter(({ named }) => named), ...byWords.filter(({ named }) => !named)];
      expect(idsOf(fuse(byWords, []))).to.deep.equal(idsOf(expected));
    });
  });
  it('named videos come first, in the order of the words, whatever is near in meaning', () => {
    holds((byWords, byMeaning) => {
      const named = idsOf(byWords.filter((hit) => hit.named));
      expect(idsOf(fuse(byWords, byMeaning)).slice(0, named.length)).to.deep.equal(named);
    });
  });
  it('of other videos one that is ahead in both lists, or ahead in one and missing in the other, is ahead', () => {
    holds((byWords, byMeaning) => {
      const order = idsOf(fuse(byWords, byMeaning));
      const placeIn = (list: readonly { readonly id: string }[], id: string): number => {
        const at = idsOf(list).indexOf(id);
        return at < 0 ? Number.MAX_SAFE_INTEGER : at;
      };
      const rest = order.filter((id) => !byWords.some((hit) => hit.id === id && hit.named));
      for (const [at, one] of rest.entries())
        for (const other of rest.slice(at + 1)) {
          const isBehind =
            placeIn(byWords, one) > placeIn(byWords, other) && placeIn(byMeaning, one) > placeIn(byMeaning, other);
          expect(isBehind, `${one} before ${other}`).to.equal(false);
        }
    });
  });
});
