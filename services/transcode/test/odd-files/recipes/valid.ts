/** Every recipe of a file that must play. */
import type { Recipe } from './recipe.ts';
import { colourRecipes } from './colours.ts';
import { cutRecipes } from './cuts.ts';
import { editRecipes } from './edits.ts';
import { fieldRecipes } from './fields.ts';
import { fragmentRecipes } from './fragments.ts';
import { hiddenRecipes } from './hidden.ts';
import { matroskaRecipes } from './matroska.ts';
import { openGroupRecipes } from './open-groups.ts';
import { layoutRecipes } from './layouts.ts';
import { shapeRecipes } from './shapes.ts';
import { soundRecipes } from './sound.ts';
import { sparseRecipes } from './sparse.ts';
import { trackRecipes } from './tracks.ts';

export const recipes: readonly Recipe[] = [
  ...cutRecipes,
  ...editRecipes,
  ...trackRecipes,
  ...fieldRecipes,
  ...fragmentRecipes,
  ...matroskaRecipes,
  ...hiddenRecipes,
  ...openGroupRecipes,
  ...layoutRecipes,
  ...sparseRecipes,
  ...soundRecipes,
  ...shapeRecipes,
  ...colourRecipes,
];
