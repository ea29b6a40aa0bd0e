/** For administrators of servers who run no program of ours: printed from the tables of provisioning. */
import { natsAccount } from './nats.ts';
import { iamPolicies, iamTrust } from './iam.ts';
import { openSearchRole } from './opensearch.ts';
import { databaseScript } from './sql.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const printers: Readonly<Record<string, (environment: Environment) => string>> = {
  iam: iamPolicies,
  'iam --trust': iamTrust,
  sql: databaseScript,
  nats: natsAccount,
  opensearch: openSearchRole,
};

export const targets = Object.keys(printers);

/** The text for one of `targets`, from the variables of provisioning; needs no server. */
export function printed(target: string, environment: Environment): string | undefined {
  return printers[target]?.(environment);
}
