/** The architecture rules as a check; their tests are in architecture/. */
import { allRules } from './architecture/all-rules.ts';
import { packageArrows } from './architecture/rules/packages.ts';
import { readRepository } from './architecture/repository.ts';
import { outcomeOf, type Outcome } from './charts/outcome.ts';

export function checkArchitecture(root: string): Outcome {
  const repository = readRepository(root);
  const faults = allRules.flatMap((rule) => rule.breaches(repository));
  return outcomeOf(
    faults,
    `${allRules.length} rules over ${repository.files.size} files, ${packageArrows(repository)} arrows between packages`,
  );
}
