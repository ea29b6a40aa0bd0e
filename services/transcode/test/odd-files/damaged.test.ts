/** Every damaged, hostile or unsupported file is rejected with the code for what is wrong with it. */
import { damageRefusals } from './refusals-damage.ts';
import { strangerRefusals } from './refusals-strangers.ts';
import { isLong, offer, tryRecipes } from './try-recipes.ts';

const word = process.env['VDS_ODD'] ?? '';
const refusals = [...damageRefusals, ...strangerRefusals].filter(({ usual, name }) =>
  word === '' ? isLong || usual : name.includes(word),
);

describe('every file that is damaged or no video is refused', function () {
  this.timeout(150_000);
  const titled = refusals.map((one) => ({ ...one, name: `a file is refused with ${one.codes[0]}: ${one.name}` }));
  tryRecipes(titled, {}, async (house, path, { codes }) => {
    const { refused = 'accepted' } = await offer(house, path);
    return codes.includes(refused) ? [] : [`is ${refused}, not ${codes.join(' or ')}`];
  });
});
