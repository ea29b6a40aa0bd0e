import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { targets, testsOf } from './targets.ts';

describe('the tests of mutation testing', () => {
  for (const { name, tests } of targets) {
    it(`every pattern of the mutation tests of ${name} finds files, and no two the same`, () => {
      const folder = fileURLToPath(new URL(`../../services/${name}`, import.meta.url));
      const found = tests.map((pattern) => testsOf(folder, pattern));
      expect(found.filter((files) => files.length === 0)).to.deep.equal([]);
      expect(new Set(found.flat()).size).to.equal(found.flat().length);
    });
  }
});
