/** The rules of the house as a check; each rule has its own test in house-rules/. */
import { allRules } from '../house-rules/all-rules.ts';
import { readRepository } from '../house-rules/repository.ts';
import { verdict, type Outcome } from '@vds/charts/checks/outcome';

export function checkHouse(root: string): Outcome {
  const repository = readRepository(root);
  const faults = allRules.flatMap((rule) => rule.breaches(repository));
  return verdict(faults, `${allRules.length} rules over ${repository.files.size} files`);
}
