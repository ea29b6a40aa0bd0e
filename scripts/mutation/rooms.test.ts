import { existsSync, globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { rooms } from './rooms.ts';

const services = fileURLToPath(new URL('../../services/', import.meta.url));

describe('the tests that are run against broken programs', () => {
  for (const { name, tests } of rooms) {
    it(`of ${name} exist, each named once`, () => {
      expect(tests.filter((file) => !existsSync(`${services}${name}/test/${file}.test.ts`))).to.deep.equal([]);
      expect(new Set(tests).size).to.equal(tests.length);
    });

    it(`of ${name} are all that stand in its test/domain`, () => {
      const files = globSync('domain/*.test.ts', { cwd: `${services}${name}/test` });
      expect(tests).to.include.members(files.map((file) => file.slice(0, -'.test.ts'.length)));
    });
  }
});
