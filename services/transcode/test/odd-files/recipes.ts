/** Every recipe of a file that must play. */
import type { Recipe } from './recipe.ts';
import { colourRecipes } from './recipes-colours.ts';
import { cutRecipes } from './recipes-cuts.ts';
import { editRecipes } from './recipes-edits.ts';
import { fragmentRecipes } from './recipes-fragments.ts';
import { hiddenRecipes } from './recipes-hidden.ts';
import { matroskaRecipes } from './recipes-matroska.ts';
import { openGroupRecipes } from './recipes-open-groups.ts';
import { layoutRecipes } from './recipes-layouts.ts';
import { shapeRecipes } from './recipes-shapes.ts';
import { soundRecipes } from './recipes-sound.ts';
import { sparseRecipes } from './recipes-sparse.ts';
import { trackRecipes } from './recipes-tracks.ts';

export const recipes: readonly Recipe[] = [
  ...cutRecipes,
  ...editRecipes,
  ...trackRecipes,
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
