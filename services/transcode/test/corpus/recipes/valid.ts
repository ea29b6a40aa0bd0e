/** Every recipe of a file that must play. */
import type { Recipe } from './recipe.ts';
import { choiceRecipes } from './choices.ts';
import { captionRecipes } from './captions.ts';
import { channelRecipes } from './channels.ts';
import { changedHeaderRecipes } from './changed-headers.ts';
import { colourRecipes } from './colours.ts';
import { dynamicRangeRecipes } from './dynamic-range.ts';
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
import { trailingRecipes } from './trailing.ts';

export const recipes: readonly Recipe[] = [
  ...cutRecipes,
  ...editRecipes,
  ...trackRecipes,
  ...choiceRecipes,
  ...trailingRecipes,
  ...fieldRecipes,
  ...fragmentRecipes,
  ...matroskaRecipes,
  ...hiddenRecipes,
  ...openGroupRecipes,
  ...changedHeaderRecipes,
  ...layoutRecipes,
  ...sparseRecipes,
  ...soundRecipes,
  ...channelRecipes,
  ...shapeRecipes,
  ...colourRecipes,
  ...dynamicRangeRecipes,
  ...captionRecipes,
];
