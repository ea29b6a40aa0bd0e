/** The architecture rules, in the order in which they are checked. */
import type { Rule } from './repository.ts';
import { chassisTables } from './rules/chassis-tables.ts';
import { connections } from './rules/connections.ts';
import { constants } from './rules/constants.ts';
import { declarations } from './rules/declarations.ts';
import { dependencies } from './rules/dependencies.ts';
import { declaredEvents } from './rules/events.ts';
import { fixedSleeps } from './rules/fixed-sleeps.ts';
import { forbiddenWords } from './rules/forbidden-words.ts';
import { pureDomain } from './rules/imports.ts';
import { logTexts } from './rules/log-texts.ts';
import { names } from './rules/names.ts';
import { ownPackage, packageFloors } from './rules/packages.ts';
import { prismaReads } from './rules/prisma-reads.ts';
import { readmes } from './rules/readmes.ts';
import { retention } from './rules/retention.ts';
import { serviceLayout } from './rules/service-layout.ts';
import { testTitles } from './rules/test-titles.ts';
import { topLevel } from './rules/top-level.ts';
import { wholeConfig } from './rules/whole-config.ts';

export const allRules: readonly Rule[] = [
  topLevel,
  wholeConfig,
  serviceLayout,
  declarations,
  constants,
  names,
  ownPackage,
  packageFloors,
  pureDomain,
  connections,
  chassisTables,
  prismaReads,
  retention,
  declaredEvents,
  readmes,
  logTexts,
  fixedSleeps,
  testTitles,
  forbiddenWords,
  dependencies,
];
