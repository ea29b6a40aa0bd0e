/**
 * What an administrator runs so that an organization's analyst reads its views with an engine of their own, and nothing
 * of another organization. analytics itself may create no user anywhere.
 */
import { viewNames } from './views.ts';

export const accessEngines = ['files', 'clickhouse', 'bigquery', 'snowflake', 'athena'] as const;
export type AccessEngine = (typeof accessEngines)[number];
export type Access = {
  readonly organizationId: string;
  readonly bucket: string;
  /** Of ClickHouse: the database and the user of the service. */
  readonly database: string;
  readonly servingUser: string;
  readonly cluster: string | undefined;
  /** For the new user. */
  readonly password: string;
};

/** Each followed by how to connect. */
export function grantStatements(engine: AccessEngine, access: Access): string {
  return `${grants[engine](access).join('\n')}\n`;
}

export function revokeStatements(engine: AccessEngine, access: Access): string {
  return `${revocations[engine](access).join('\n')}\n`;
}

const TABLES = ['stored_videos', 'stored_events', 'play_parts'];

const grants: Readonly<Record<AccessEngine, (access: Access) => string[]>> = {
  files: ({ organizationId, bucket }) => [
    '# Where the storage names users as principals (versitygw, MinIO): as its administrator,',
    `npm run provision -- grant ${organizationId}`,
    '# Elsewhere: a user or role with this policy.',
    JSON.stringify(policyOf(bucket, organizationId)),
    `# DuckDB: deploy/warehouse/duckdb.sql with the bucket ${bucket} and the organization ${organizationId}.`,
  ],
  clickhouse: ({ organizationId, database, servingUser, cluster, password }) => {
    const on = cluster === undefined ? '' : ` ON CLUSTER '${cluster}'`;
    const tables = TABLES.map((table) => `${database}.${table}`).join(', ');
    return [
      `CREATE USER IF NOT EXISTS ${organizationId}${on} IDENTIFIED WITH sha256_password BY '${password}' SETTINGS readonly = 1, max_execution_time = 60;`,
      ...[...TABLES, ...viewNames].map((name) => `GRANT${on} SELECT ON ${database}.${name} TO ${organizationId};`),
      '-- Once a table has a policy, a user without one sees no row of it: the service needs its own.',
      `CREATE ROW POLICY IF NOT EXISTS serving${on} ON ${tables} FOR SELECT USING 1 TO ${servingUser};`,
      `CREATE ROW POLICY IF NOT EXISTS ${organizationId}${on} ON ${tables} FOR SELECT USING organization_id = '${organizationId}' TO ${organizationId};`,
      `-- clickhouse-client --user ${organizationId} --password '${password}' --query 'SELECT * FROM ${database}.daily'`,
    ];
  },
  bigquery: ({ organizationId }) => [
    `CREATE SCHEMA IF NOT EXISTS \`${organizationId}\`;`,
    `-- deploy/warehouse/bigquery.sql in this schema; the data of a bucket of S3 come by a transfer or BigLake.`,
    `GRANT \`roles/bigquery.dataViewer\` ON SCHEMA \`${organizationId}\` TO 'user:<address>';`,
  ],
  snowflake: ({ organizationId }) => [
    `CREATE SCHEMA IF NOT EXISTS <database>.${organizationId};`,
    `-- USE SCHEMA <database>.${organizationId}; then deploy/warehouse/snowflake.sql.`,
    `CREATE ROLE IF NOT EXISTS ${organizationId};`,
    `GRANT USAGE ON DATABASE <database> TO ROLE ${organizationId};`,
    `GRANT USAGE ON SCHEMA <database>.${organizationId} TO ROLE ${organizationId};`,
    `GRANT SELECT ON ALL VIEWS IN SCHEMA <database>.${organizationId} TO ROLE ${organizationId};`,
    `GRANT ROLE ${organizationId} TO USER <user>;`,
  ],
  athena: ({ organizationId, bucket }) => [
    `CREATE DATABASE IF NOT EXISTS ${organizationId};`,
    `-- deploy/warehouse/athena.sql in this database; the analyst's role has this policy, and Athena's own:`,
    `-- ${JSON.stringify(policyOf(bucket, organizationId))}`,
  ],
};

const revocations: Readonly<Record<AccessEngine, (access: Access) => string[]>> = {
  files: ({ organizationId }) => [`npm run provision -- revoke ${organizationId}`],
  clickhouse: ({ organizationId, database, cluster }) => {
    const on = cluster === undefined ? '' : ` ON CLUSTER '${cluster}'`;
    const tables = TABLES.map((table) => `${database}.${table}`).join(', ');
    return [
      `DROP USER IF EXISTS ${organizationId}${on};`,
      `DROP ROW POLICY IF EXISTS ${organizationId}${on} ON ${tables};`,
    ];
  },
  bigquery: ({ organizationId }) => [
    `REVOKE \`roles/bigquery.dataViewer\` ON SCHEMA \`${organizationId}\` FROM 'user:<address>';`,
  ],
  snowflake: ({ organizationId }) => [`DROP ROLE IF EXISTS ${organizationId};`],
  athena: ({ organizationId }) => [
    `-- Take the policy from the analyst's role; DROP DATABASE ${organizationId} CASCADE;`,
  ],
};

/** For identities of IAM: reads below the organization's prefix, and lists nothing else. */
function policyOf(bucket: string, organizationId: string): object {
  const [arn, below] = [`arn:aws:s3:::${bucket}`, `organization=${organizationId}/*`];
  return {
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Action: 's3:GetObject', Resource: `${arn}/${below}` },
      {
        ...{ Effect: 'Allow', Action: 's3:ListBucket', Resource: arn },
        Condition: { StringLike: { 's3:prefix': [below] } },
      },
    ],
  };
}
