/**
 * The IAM policy of each component’s own identity, for servers that know roles of the cloud, and who may be that identity:
 * the component’s ServiceAccount and nobody else.
 */
import { optional, readConfig, text, withDefault } from '@vds/chassis/config/config';
import { bucketUsers, identityPolicyOf } from '../buckets.ts';
import { readNames, type Names } from '../names.ts';
import { rowOf, type ServiceName } from '../../services.ts';

type Environment = Readonly<Record<string, string | undefined>>;
type Policy = { readonly Version: string; readonly Statement: readonly object[] };

const VERSION = '2012-10-17';
/** The ServiceAccount of the migrations, which log in as the owners of the databases. */
const MIGRATE = 'migrate';

/**
 * JSON: component → policy document. RDS_USERS_ARN (`arn:aws:rds-db:<region>:<account>:dbuser:<resource id>`) and
 * OPENSEARCH_DOMAIN_ARN add logins without passwords.
 */
export function iamPolicies(environment: Environment): string {
  const { names, rds, domain } = read(environment);
  const policies = componentsOf(names, rds !== undefined).map((name) => {
    const statements = [
      ...(isBucketUser(name) ? (identityPolicyOf(name, names) as Policy).Statement : []),
      ...(rds === undefined ? [] : logins(rds, databaseUsers(name, names))),
      ...(domain !== undefined && name !== MIGRATE && rowOf(name).search === true ? [searches(domain)] : []),
    ];
    return [name, { Version: VERSION, Statement: statements }];
  });
  return json(Object.fromEntries(policies));
}

/**
 * JSON: component → who may be its identity. OIDC_PROVIDER_ARN is that of an EKS cluster (IRSA), EKS_CLUSTER_ARN of one
 * with Pod Identity, GOOGLE_PROJECT of a GKE cluster with workload identity; NAMESPACE and RELEASE are those of Helm.
 * @throws Error unless one of the three is set
 */
export function iamTrust(environment: Environment): string {
  const { names, rds, provider, cluster, project, namespace, release } = read(environment);
  if ([provider, cluster, project].filter((one) => one !== undefined).length !== 1)
    throw new Error('set one of OIDC_PROVIDER_ARN (IRSA), EKS_CLUSTER_ARN (Pod Identity) and GOOGLE_PROJECT (GKE)');
  const trusts = componentsOf(names, rds !== undefined || project !== undefined).map((name) => {
    const account = `${release}-${name}`;
    if (project !== undefined) return [name, googleBindings(name, { names, project, namespace, account })];
    const trust =
      provider === undefined
        ? podIdentity(cluster ?? '', namespace, account)
        : webIdentity(provider, namespace, account);
    return [name, { Version: VERSION, Statement: [{ Effect: 'Allow', ...trust }] }];
  });
  return json(Object.fromEntries(trusts));
}

function read(environment: Environment) {
  const settings = readConfig(
    {
      rds: ['RDS_USERS_ARN', optional(text)],
      domain: ['OPENSEARCH_DOMAIN_ARN', optional(text)],
      provider: ['OIDC_PROVIDER_ARN', optional(text)],
      cluster: ['EKS_CLUSTER_ARN', optional(text)],
      project: ['GOOGLE_PROJECT', optional(text)],
      namespace: ['NAMESPACE', withDefault(text, 'video')],
      release: ['RELEASE', withDefault(text, 'vds')],
    } as const,
    environment,
  );
  return { ...settings, names: readNames(environment) };
}

function componentsOf(names: Names, hasLogins: boolean): (ServiceName | typeof MIGRATE)[] {
  return hasLogins ? [...new Set([...bucketUsers, ...names.databases.keys()]), MIGRATE] : bucketUsers;
}

function isBucketUser(name: ServiceName | typeof MIGRATE): name is ServiceName {
  return name !== MIGRATE && bucketUsers.includes(name);
}

function databaseUsers(name: ServiceName | typeof MIGRATE, { databases }: Names): string[] {
  if (name === MIGRATE) return [...databases.values()].map(({ owner }) => owner);
  const own = databases.get(name);
  return own === undefined ? [] : [own.runtime];
}

/** https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/UsingWithRDS.IAMDBAuth.IAMPolicy.html */
function logins(arn: string, users: readonly string[]): object[] {
  const Resource = users.map((user) => `${arn}/${user}`);
  return users.length === 0 ? [] : [{ Effect: 'Allow', Action: ['rds-db:connect'], Resource }];
}

/** What is allowed in the domain is the role of `print opensearch`. */
function searches(domain: string): object {
  const Action = ['Get', 'Head', 'Post', 'Put', 'Delete'].map((method) => `es:ESHttp${method}`);
  return { Effect: 'Allow', Action, Resource: `${domain}/*` };
}

/** https://docs.aws.amazon.com/eks/latest/userguide/associate-service-account-role.html */
function webIdentity(provider: string, namespace: string, account: string): object {
  const issuer = provider.replace(/^.*:oidc-provider\//, '');
  const claims = {
    [`${issuer}:sub`]: `system:serviceaccount:${namespace}:${account}`,
    [`${issuer}:aud`]: 'sts.amazonaws.com',
  };
  return {
    Principal: { Federated: provider },
    Action: 'sts:AssumeRoleWithWebIdentity',
    Condition: { StringEquals: claims },
  };
}

/** https://docs.aws.amazon.com/eks/latest/userguide/pod-id-role.html */
function podIdentity(cluster: string, namespace: string, account: string): object {
  const tags = {
    'aws:RequestTag/eks-cluster-arn': cluster,
    'aws:RequestTag/kubernetes-namespace': namespace,
    'aws:RequestTag/kubernetes-service-account': account,
  };
  return {
    Principal: { Service: 'pods.eks.amazonaws.com' },
    Action: ['sts:AssumeRole', 'sts:TagSession'],
    Condition: { StringEquals: tags },
  };
}

type Place = { readonly names: Names; readonly project: string; readonly namespace: string; readonly account: string };

/** https://cloud.google.com/kubernetes-engine/docs/how-to/workload-identity; roles of each bucket, never of the project. */
function googleBindings(name: ServiceName | typeof MIGRATE, { names, project, namespace, account }: Place): object {
  const email = `${account}@${project}.iam.gserviceaccount.com`;
  const member = `serviceAccount:${email}`;
  const bucketsOf = (which: 'ownsBuckets' | 'readsBuckets', role: string): object[] =>
    name === MIGRATE ? [] : rowOf(name)[which].map((bucket) => ({ bucket: names.bucket(bucket), role, member }));
  return {
    serviceAccount: email,
    trust: {
      role: 'roles/iam.workloadIdentityUser',
      member: `serviceAccount:${project}.svc.id.goog[${namespace}/${account}]`,
    },
    buckets: [
      ...bucketsOf('ownsBuckets', 'roles/storage.objectUser'),
      ...bucketsOf('readsBuckets', 'roles/storage.objectViewer'),
    ],
    ...(databaseUsers(name, names).length > 0 && { project: [{ role: 'roles/cloudsql.instanceUser', member }] }),
  };
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
