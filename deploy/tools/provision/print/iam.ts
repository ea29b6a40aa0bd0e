/** The IAM policy of each component’s own identity, for storage that names no users in bucket policies (AWS). */
import { bucketUsers, identityPolicyOf } from '../buckets.ts';
import { readNames } from '../names.ts';

/** JSON: component → policy document. */
export function iamPolicies(environment: Readonly<Record<string, string | undefined>>): string {
  const names = readNames(environment);
  const policies = Object.fromEntries(bucketUsers.map((service) => [service, identityPolicyOf(service, names)]));
  return `${JSON.stringify(policies, null, 2)}\n`;
}
