/** The architecture rules as a check; their tests are in architecture/. */
import { allRules } from '../architecture/all-rules.ts';
import { readRepository } from '../architecture/repository.ts';
import { outcomeOf, type Outcome } from '@vds/charts/checks/outcome';

export function checkArchitecture(root: string): Outcome {
  const repository = readRepository(root);
  const faults = allRules.flatMap((rule) => rule.breaches(repository));
  return outcomeOf(faults, `${allRules.length} rules over ${repository.files.size} files`);
}
