/**
 * What the charts need to know about the product: generated from the tables of services and events, and committed; and the
 * configuration of the edge, as a chart reads no file outside of its folder.
 */
import { readFileSync } from 'node:fs';
import { permissionsOf, servicesWithNatsUser, type Permissions } from '@vds/deploy-tools/provision/nats-account';
import { readNames } from '@vds/deploy-tools/provision/names';
import { requiredKeys } from '@vds/deploy-tools/provision/steps';

export type NatsUser = { readonly user: string; readonly permissions: Permissions };

/** The folder, from the root of the repository. */
export const CHART_FILES = 'charts';

const EDGE = new URL('../../../deploy/edge/nginx.conf', import.meta.url);

/** Text of each file by its path below the folder. */
export function chartFiles(): Readonly<Record<string, string>> {
  return {
    'vds/files/generated/nginx.conf': readFileSync(EDGE, 'utf8'),
    'vds-devdeps/files/generated/nats-users.json': jsonOf(natsUsers()),
    // By component: the keys the provisioning Job reads from its Secret.
    'vds-devdeps/files/generated/component-keys.json': jsonOf(
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
