/**
 * Read access of an organization to its own files of performance data: an S3 user, and two statements in the policy of
 * the bucket. versitygw keeps a policy in one attribute of the folder, which on ext4 has room for twelve organizations:
 * more need `--sidecar`, or access through a warehouse.
 */
import { rootClient } from './root-client.ts';
import { ensureS3User, removeS3User, type S3Server } from './s3-admin.ts';
import { randomSecret } from '../installation.ts';

type Statement = { readonly Sid?: string; readonly [member: string]: unknown };
type Policy = { readonly Version: string; readonly Statement: readonly Statement[] };
type Servers = { readonly s3: S3Server & { readonly users?: 'create' | 'existing' } };
type Grantee = { readonly organizationId: string; readonly prefix: string; readonly bucket: string };

const SID = 'Organization';

/** Creates the user, or gives it a new secret, and returns how to connect. */
export async function grantOrganization(servers: Servers, grantee: Grantee): Promise<string> {
  const { organizationId, bucket } = grantee;
  checkId(organizationId);
  const { s3 } = servers;
  const [user, secret] = [userOf(grantee), randomSecret()];
  if (s3.users !== 'existing') await ensureS3User(s3, user, secret);
  await changePolicy(servers, bucket, (statements) => [
    ...without(statements, organizationId),
    ...statementsOf(bucket, user, organizationId),
  ]);
  return [
    `endpoint   ${s3.endpoint}`,
    `region     ${s3.region}`,
    `files      s3://${bucket}/organization=${organizationId}/day=*/*.parquet`,
    `access key ${user}`,
    s3.users === 'existing' ? 'secret     that of the user, which must exist' : `secret     ${secret}`,
    'views      deploy/warehouse/<engine>.sql',
  ].join('\n');
}

/** Takes the access away; an organization without any is success. */
export async function revokeOrganization(servers: Servers, grantee: Grantee): Promise<void> {
  const { organizationId, bucket } = grantee;
  checkId(organizationId);
  await changePolicy(servers, bucket, (statements) => without(statements, organizationId));
  if (servers.s3.users !== 'existing') await removeS3User(servers.s3, userOf(grantee));
}

/** The statements of grants: setting the policy of the bucket again keeps them. */
export async function grantsOf(servers: Servers, bucket: string): Promise<readonly Statement[]> {
  return (await readPolicy(servers, bucket)).filter(({ Sid = '' }) => Sid.startsWith(SID));
}

async function changePolicy(
  servers: Servers,
  bucket: string,
  change: (statements: readonly Statement[]) => readonly Statement[],
): Promise<void> {
  const policy: Policy = { Version: '2012-10-17', Statement: change(await readPolicy(servers, bucket)) };
  // A policy without statements is none; '' removes it.
  await rootClient(servers).setBucketPolicy(bucket, policy.Statement.length === 0 ? '' : JSON.stringify(policy));
}

async function readPolicy(servers: Servers, bucket: string): Promise<readonly Statement[]> {
  try {
    return (JSON.parse(await rootClient(servers).getBucketPolicy(bucket)) as Policy).Statement;
  } catch (error) {
    if ((error as { code?: string }).code === 'NoSuchBucketPolicy') return [];
    throw error;
  }
}

/** Lists only below its own prefix: without the condition the list would show every organization. */
function statementsOf(bucket: string, user: string, organizationId: string): Statement[] {
  const [arn, below] = [`arn:aws:s3:::${bucket}`, `organization=${organizationId}/*`];
  const common = { Effect: 'Allow', Principal: { AWS: [user] } };
  return [
    { Sid: `${SID}Get${bare(organizationId)}`, ...common, Action: 's3:GetObject', Resource: `${arn}/${below}` },
    {
      ...{ Sid: `${SID}List${bare(organizationId)}`, ...common, Action: 's3:ListBucket', Resource: arn },
      Condition: { StringLike: { 's3:prefix': [below] } },
    },
  ];
}

function without(statements: readonly Statement[], organizationId: string): readonly Statement[] {
  return statements.filter(({ Sid = '' }) => !(Sid.startsWith(SID) && Sid.endsWith(bare(organizationId))));
}

/** Sids have letters and digits only. */
function bare(organizationId: string): string {
  return organizationId.replaceAll('_', '');
}

function userOf({ prefix, organizationId }: Grantee): string {
  return `${prefix === '' ? '' : `${prefix}-`}${organizationId.replaceAll('_', '-')}`;
}

function checkId(organizationId: string): void {
  if (!/^org_[0-9A-Za-z]{1,40}$/.test(organizationId))
    throw new Error(`'${organizationId}' is no id of an organization: vdsctl organization list`);
}
