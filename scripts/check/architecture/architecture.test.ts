import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { allRules } from './all-rules.ts';
import { readRepository } from './repository.ts';

describe('the architecture rules hold', () => {
  const repository = readRepository(fileURLToPath(new URL('../../..', import.meta.url)));

  for (const rule of allRules) {
    it(rule.name, () => {
      expect(rule.breaches(repository).join('\n')).to.equal('');
    });
  }
});
