import { existsSync, globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { targets } from './targets.ts';

const services = fileURLToPath(new URL('../../services/', import.meta.url));

describe('the tests of mutation testing', () => {
  for (const { name, tests } of targets) {
    it(`the mutation tests of ${name} exist, each listed once`, () => {
      expect(tests.filter((file) => !existsSync(`${services}${name}/test/${file}.test.ts`))).to.deep.equal([]);
      expect(new Set(tests).size).to.equal(tests.length);
    });

    it(`the mutation tests of ${name} include every file of its test/domain`, () => {
      const files = globSync('domain/*.test.ts', { cwd: `${services}${name}/test` });
      expect(tests).to.include.members(files.map((file) => file.slice(0, -'.test.ts'.length)));
    });
  }
});
