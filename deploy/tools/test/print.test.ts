import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { bucketUsers } from '../provision/buckets.ts';
import { requests } from '../provision/print/opensearch.ts';
import { printed, targets } from '../provision/print/print.ts';

const main = fileURLToPath(new URL('../provision/main.ts', import.meta.url));
const indexer = fileURLToPath(new URL('../../../services/indexer/src', import.meta.url));

type Statement = { readonly Action: readonly string[]; readonly Resource: string };
type Policies = Readonly<Record<string, { readonly Statement: readonly Statement[] }>>;
type Role = {
  readonly cluster_permissions: readonly string[];
  readonly index_permissions: readonly { readonly index_patterns: string[]; readonly allowed_actions: string[] }[];
};

/** The last fixed part of a request's path, as the table of requests has it. */
function endpoint(path: string): string {
  if (path.endsWith('/point_in_time')) return 'point_in_time';
  return path.split('/').find((part) => part.startsWith('_')) ?? '/';
}

function matches(pattern: string, index: string): boolean {
  return new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(index);
}

describe('what provision prints', () => {
  it('provision print rejects unknown parts with its usage and exit code 2', () => {
    for (const args of [['print'], ['print', 'terraform'], ['print', 'sql', 'more'], ['delete']]) {
      const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], { encoding: 'utf8', env: {} });
      expect([status, stdout], args.join(' ')).to.deep.equal([2, '']);
      expect(stderr).to.include(`print ${targets.join(' | ')}`);
    }
  });
  it('provision print names everything by the prefix, and needs no variable of a server', () => {
    const env = { PREFIX: 'vod-eu', GOOGLE_PROJECT: 'acme' };
    for (const target of targets) {
      const { status, stdout } = spawnSync(process.execPath, [main, 'print', ...target.split(' ')], {
        encoding: 'utf8',
        env,
      });
      expect([status, stdout], target).to.deep.equal([0, printed(target, env)]);
      expect(stdout, target).to.match(/vod[-_]eu/);
    }
  });
  it('provision print says in one sentence which Secret is missing', () => {
    const { status, stderr } = spawnSync(process.execPath, [main, 'print', 'sql'], {
      encoding: 'utf8',
      env: { SECRETS_DIR: '/nowhere' },
    });
    expect(status).to.equal(1);
    expect(stderr).to.match(/^provision: \/nowhere lacks auth\/DATABASE_PASSWORD, [^\n]*\n$/);
  });
  it('the printed IAM policies name every component with an S3 user, its buckets and no wildcard action', () => {
    const policies = JSON.parse(printed('iam', { MEDIA_BUCKET: 'films' }) ?? '') as Policies;
    expect(Object.keys(policies)).to.deep.equal(bucketUsers);
    const statements = Object.values(policies).flatMap(({ Statement }) => Statement);
    for (const { Action } of statements) for (const action of Action) expect(action).to.match(/^s3:[A-Za-z]+$/);
    const writers = Object.entries(policies)
      .filter(([, { Statement }]) => Statement.some(({ Action }) => Action.includes('s3:PutObject')))
      .map(([name, { Statement }]) => [
        name,
        Statement.find(({ Action }) => Action.includes('s3:PutObject'))?.Resource,
      ]);
    expect(writers).to.deep.equal([
      ['ingest', 'arn:aws:s3:::sources/*'],
      ['transcode', 'arn:aws:s3:::films/*'],
      ['captions', 'arn:aws:s3:::captions/*'],
      ['analytics', 'arn:aws:s3:::analytics/*'],
    ]);
  });
  it('the printed NATS account leaves passwords to variables that the server replaces, which it does outside of quotes', () => {
    const text = printed('nats', {}) ?? '';
    expect(text).to.match(/"password": \$CATALOG_NATS_PASSWORD,/);
    expect(text).not.to.match(/"\$[A-Z]+_NATS_PASSWORD"/);
    expect(text).to.include('#   nsc generate creds --account VDS --name catalog > catalog/NATS_CREDS');
  });
  it('the printed NATS account says that a server has one block of accounts, of which a second one replaces the first', () => {
    expect(printed('nats', {})).to.match(/^# .*\n# .*second block `accounts` replaces the first/);
  });
  it('the printed NATS account has both users of a component while one replaces the other, each with its own password', () => {
    const CATALOG_NATS_USER = 'catalog-b,catalog';
    const text = printed('nats', { CATALOG_NATS_USER }) ?? '';
    const block = text.slice(text.indexOf('users: ') + 7, text.indexOf('\n  }\n}'));
    const users = JSON.parse(block.replaceAll(/: (\$[A-Z_]+),/g, ': "$1",')) as { user: string; password: string }[];
    const [current, previous] = users.filter(({ user }) => user.startsWith('catalog'));
    expect(current).to.include({ user: 'catalog-b', password: '$CATALOG_NATS_PASSWORD' });
    expect(previous).to.deep.equal({ ...current, user: 'catalog', password: '$CATALOG_PREVIOUS_NATS_PASSWORD' });
    expect(text).to.include('nsc generate creds --account VDS --name catalog-b > catalog/NATS_CREDS');
    for (const wrong of ['a,b,c', 'a,a', 'a b', 'a,'])
      expect(() => printed('nats', { CATALOG_NATS_USER: wrong }), wrong).to.throw('CATALOG_NATS_USER must');
    const withoutPrevious = () => printed('nats', { CATALOG_NATS_USER, SECRETS_DIR: '/nowhere' });
    expect(withoutPrevious).to.throw(/\/nowhere lacks/);
  });
  it('the printed OpenSearch mapping has every user that is named', () => {
    const bodies = Object.values(JSON.parse(printed('opensearch', { OPENSEARCH_USER: 'b,a' }) ?? '') as object);
    expect(bodies[1]).to.deep.equal({ users: ['b', 'a'] });
  });
  it('the printed mapping has roles of the cloud instead of a user', () => {
    const bodies = Object.values(
      JSON.parse(printed('opensearch', { OPENSEARCH_ROLES: 'arn:aws:iam::1:role/a' }) ?? '') as object,
    );
    expect(bodies[1]).to.deep.equal({ backend_roles: ['arn:aws:iam::1:role/a'] });
  });

  describe('identities of the cloud', () => {
    const RDS_USERS_ARN = 'arn:aws:rds-db:eu-west-1:123456789012:dbuser:cluster-ABC';
    type Statement = {
      Action: string | string[];
      Resource: unknown;
      Principal: unknown;
      Condition: { StringEquals: object };
    };
    const policies = (target: string, environment: Record<string, string>) =>
      JSON.parse(printed(target, environment) ?? '') as Record<string, { Statement: Statement[] }>;
    const trusted = (environment: Record<string, string>) => policies('iam --trust', environment);

    it('each component may log in as its own role, the migrations as the owners, and indexer may search', () => {
      const OPENSEARCH_DOMAIN_ARN = 'arn:aws:es:eu-west-1:123456789012:domain/vds';
      const found = policies('iam', { PREFIX: 'north', RDS_USERS_ARN, OPENSEARCH_DOMAIN_ARN });
      const resources = (name: string, action: RegExp) =>
        (found[name]?.Statement ?? [])
          .filter((one) => action.test([one.Action].flat().join(' ')))
          .flatMap((one) => one.Resource);
      expect(resources('catalog', /rds-db/)).to.deep.equal([`${RDS_USERS_ARN}/north_catalog`]);
      expect(resources('migrate', /rds-db/)).to.include(`${RDS_USERS_ARN}/north_catalog_owner`);
      expect(resources('migrate', /s3|es:/)).to.deep.equal([]);
      expect(resources('playback', /rds-db|es:/)).to.deep.equal([]);
      expect(resources('indexer', /es:/)).to.deep.equal([`${OPENSEARCH_DOMAIN_ARN}/*`]);
      expect(JSON.stringify(found)).not.to.match(/"Resource":"\*"|"(s3|es|rds-db|sts):\*"/);
      expect(Object.keys(policies('iam', {}))).not.to.include('catalog');
    });

    it('a role of IRSA is for one ServiceAccount of one namespace, with the audience of STS', () => {
      const issuer = 'oidc.eks.eu-west-1.amazonaws.com/id/ABC';
      const OIDC_PROVIDER_ARN = `arn:aws:iam::123456789012:oidc-provider/${issuer}`;
      const [statement] =
        trusted({ OIDC_PROVIDER_ARN, NAMESPACE: 'media', RELEASE: 'north-vds' })['ingest']?.Statement ?? [];
      expect(statement).to.include({ Action: 'sts:AssumeRoleWithWebIdentity' });
      expect(statement?.Principal).to.deep.equal({ Federated: OIDC_PROVIDER_ARN });
      expect(statement?.Condition.StringEquals).to.deep.equal({
        [`${issuer}:sub`]: 'system:serviceaccount:media:north-vds-ingest',
        [`${issuer}:aud`]: 'sts.amazonaws.com',
      });
    });

    it('a role of Pod Identity is for one ServiceAccount of one cluster', () => {
      const EKS_CLUSTER_ARN = 'arn:aws:eks:eu-west-1:123456789012:cluster/one';
      const found = trusted({ EKS_CLUSTER_ARN, RDS_USERS_ARN });
      expect(found['migrate']?.Statement[0]?.Condition.StringEquals).to.deep.equal({
        'aws:RequestTag/eks-cluster-arn': EKS_CLUSTER_ARN,
        'aws:RequestTag/kubernetes-namespace': 'video',
        'aws:RequestTag/kubernetes-service-account': 'vds-migrate',
      });
      expect(found['auth']?.Statement[0]?.Principal).to.deep.equal({ Service: 'pods.eks.amazonaws.com' });
    });

    it('on GKE each has an account of its own, with roles on its buckets alone', () => {
      const found = JSON.parse(
        printed('iam --trust', { GOOGLE_PROJECT: 'acme', MEDIA_BUCKET: 'acme-media' }) ?? '',
      ) as Record<string, { trust: object; buckets: object[] }>;
      const member = 'serviceAccount:vds-playback@acme.iam.gserviceaccount.com';
      expect(found['playback']?.trust).to.deep.equal({
        role: 'roles/iam.workloadIdentityUser',
        member: 'serviceAccount:acme.svc.id.goog[video/vds-playback]',
      });
      expect(found['playback']?.buckets).to.deep.include({
        bucket: 'acme-media',
        role: 'roles/storage.objectViewer',
        member,
      });
      expect(JSON.stringify(found['playback'])).not.to.include('objectUser');
      expect(found['auth']?.buckets).to.deep.equal([]);
    });

    it('without a cluster, or with two, nobody is trusted', () => {
      expect(() => printed('iam --trust', {})).to.throw(/set one of OIDC_PROVIDER_ARN/);
      expect(() => printed('iam --trust', { GOOGLE_PROJECT: 'a', EKS_CLUSTER_ARN: 'b' })).to.throw(/set one of/);
    });
  });
  it('a database or a role whose name the chart does not accept is refused', () => {
    for (const name of ["o'brien", 'a"b', 'a$join$b', 'a\nb', 'a=b', 'ü', 'x'.repeat(64)])
      for (const variable of ['CATALOG_DATABASE', 'CATALOG_DATABASE_USER', 'CATALOG_DATABASE_OWNER'])
        expect(() => printed('sql', { [variable]: name }), name).to.throw(`${variable} must`);
    expect(printed('sql', { CATALOG_DATABASE: 'acme-db' })).to.include('create database "acme-db"');
  });
  it('the prefix vds is rejected: the indexes of an installation without a prefix begin with it', () => {
    for (const target of targets)
      expect(() => printed(target, { PREFIX: 'vds', GOOGLE_PROJECT: 'a' }), target).to.throw(/PREFIX must/);
  });
  it('the printed OpenSearch role is limited to the indexes of the prefix and to its user', () => {
    const bodies = Object.values(
      JSON.parse(printed('opensearch', { PREFIX: 'vod', OPENSEARCH_USER: 'finder' }) ?? '') as object,
    );
    const [role, mapping] = bodies as [Role, object];
    const patterns = role.index_permissions.flatMap(({ index_patterns: some }) => some);
    for (const name of ['vod-videos', 'vod-videos-1', 'vod-videos-filling', 'vod-watched', 'vod-indexer'])
      expect(
        patterns.some((pattern) => matches(pattern, name)),
        name,
      ).to.equal(true);
    for (const foreign of ['vod-eu-videos', 'vod-eu-videos-1', 'vod-eu-indexer', 'vods-videos'])
      expect(
        patterns.some((pattern) => matches(pattern, foreign)),
        foreign,
      ).to.equal(false);
    expect(mapping).to.deep.equal({ users: ['finder'] });
    const actions = [...role.cluster_permissions, ...role.index_permissions.flatMap((one) => one.allowed_actions)];
    for (const action of actions) expect(action).to.match(/^indices:(admin|data|monitor)\/[a-z_/]+\*?$/);
  });
  it('the printed OpenSearch role covers every request of the search index', () => {
    const sources = globSync('**/*.ts', { cwd: indexer }).map((file) => readFileSync(join(indexer, file), 'utf8'));
    const paths = sources.flatMap((text) =>
      [...text.matchAll(/\bpath(?::| =) ['`](\/[^'`]*)['`]/g)].map(([, path = '']) => path),
    );
    expect(paths.length).to.be.greaterThan(20);
    for (const path of paths) expect(Object.keys(requests), path).to.include(endpoint(path));
  });
});
