/** What chart vds-devdeps needs to know about the product: generated from the tables of services and events, and committed. */
import { permissionsOf, servicesWithNatsUser, type Permissions } from '@vds/deploy-tools/provision/nats-account';
import { readNames } from '@vds/deploy-tools/provision/names';
import { requiredKeys } from '@vds/deploy-tools/provision/steps';

export type NatsUser = { readonly user: string; readonly permissions: Permissions };

/** The folder, from the root of the repository. */
export const CHART_FILES = 'charts/vds-devdeps/files/generated';

/** Text of each file by its name. */
export function chartFiles(): Readonly<Record<string, string>> {
  return {
    'nats-users.json': jsonOf(natsUsers()),
    // By component: the keys the provisioning Job reads from its Secret.
    'component-keys.json': jsonOf(
      Object.fromEntries(requiredKeys({ databases: readNames({}).databases.keys(), s3: true })),
    ),
  };
}

function jsonOf(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** One user for each service that publishes or consumes events; the chart adds the passwords, as variables. */
export function natsUsers(): NatsUser[] {
  return servicesWithNatsUser.map((service) => ({ user: service, permissions: permissionsOf(service) }));
}
