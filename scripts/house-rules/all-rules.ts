/** The rules of the house, in the order in which they are checked. */
import type { Rule } from './repository.ts';
import { declarations } from './rules/declarations.ts';
import { dependencies } from './rules/dependencies.ts';
import { declaredEvents } from './rules/events.ts';
import { fieldWords } from './rules/field-words.ts';
import { forbiddenWords } from './rules/forbidden-words.ts';
import { environment, ownRoom, pureDomain } from './rules/imports.ts';
import { names } from './rules/names.ts';
import { readmes } from './rules/readmes.ts';
import { rooms } from './rules/rooms.ts';
import { fileSizes, functionSizes } from './rules/sizes.ts';
import { topLevel } from './rules/top-level.ts';

export const allRules: readonly Rule[] = [
  topLevel,
  rooms,
  names,
  fileSizes,
  functionSizes,
  declarations,
  fieldWords,
  ownRoom,
  pureDomain,
  environment,
  declaredEvents,
  readmes,
  forbiddenWords,
  dependencies,
];
