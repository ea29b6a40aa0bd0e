/** Every damaged, hostile or unsupported file is rejected with the code for what is wrong with it. */
import { appendedFiles } from './recipes/appended.ts';
import { damagedFiles } from './recipes/damaged.ts';
import { dolbyVisionRejections } from './recipes/dynamic-range.ts';
import { unsupportedFiles } from './recipes/unsupported.ts';
import { encodeFile, chosenOf, testRecipes } from './test-recipes.ts';

describe('damaged and unsupported files', function () {
  this.timeout(150_000);
  testRecipes(chosenOf([...damagedFiles, ...appendedFiles, ...unsupportedFiles, ...dolbyVisionRejections]), {
    titleOf: ({ codes, name }) => `a file is rejected with ${codes[0]}: ${name}`,
    faultsOf: async (harness, path, { codes }) => {
      const { rejectedWith = 'accepted' } = await encodeFile(harness, path);
      return codes.includes(rejectedWith) ? [] : [`is ${rejectedWith}, not ${codes.join(' or ')}`];
    },
  });
});
