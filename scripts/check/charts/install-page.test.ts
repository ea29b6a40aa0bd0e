/** The commands of the guide's page on installation, run in their order as far as they need no cluster and no server. */
import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { skipBecause } from '@vds/testkit/skip';
import { goProgram } from '@vds/testkit/programs/go-programs';
import { makeCertificates } from '@vds/deploy-tools/secrets/certificates';
import { readInstallPage, scriptOf } from './install-page.ts';
import { componentsOf, type Component } from './environment.ts';
import { referencedSecrets } from './render.ts';
import { templateArguments } from './release.ts';
import { parseResources } from './resource.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const page = readInstallPage(readFileSync(join(root, 'deploy/guide/install.md'), 'utf8'), 'In production');

/** The names of the buckets that each component with any is given. */
function bucketsIn(components: readonly Component[]): Record<string, string[]> {
  const entries = components.map(({ name, variables }) => {
    const names = [...variables].flatMap(([key, value]) => (key.endsWith('_BUCKET') && value ? [value] : []));
    return [name, names.toSorted()] as const;
  });
  return Object.fromEntries(entries.filter(([, names]) => names.length > 0));
}

describe('the page on installation', function () {
  this.timeout(240_000);
  const home = mkdtempSync(join(tmpdir(), 'vds-install-page-'));
  const read = (path: string): string => readFileSync(join(home, path), 'utf8');
  let ran: SpawnSyncReturns<string>;
  /** The release of the page with one more value. */
  const rendered = (value: string): string => {
    const files = ['deploy/values/production.yaml', join(home, 'vds/values.yaml')];
    const args = [...templateArguments('vds'), ...files.flatMap((file) => ['--values', file]), '--set', value];
    return spawnSync(goProgram('helm') ?? 'helm', args, { cwd: root, encoding: 'utf8' }).stdout;
  };

  before(async function () {
    const helm = goProgram('helm');
    if (helm === null) return skipBecause(this, 'helm is not on PATH');
    const { caCertificate: authority } = await makeCertificates(['postgres']);
    mkdirSync(join(home, 'vds'), { mode: 0o700 });
    const given = { 'rds.pem': authority, 'nats-authority.pem': authority, 'admin-password': 'of the administrator' };
    for (const [name, text] of [...Object.entries(given), ...page.files]) writeFileSync(join(home, 'vds', name), text);
    const CLUSTER = templateArguments('vds').slice(3).join(' ');
    const env = { PATH: process.env['PATH'], HOME: home, HELM: helm, CLUSTER };
    const again = 'WAIT=1s POSTGRES_PASSWORD=again npm run --silent provision &> ~/again.txt || true';
    ran = spawnSync('bash', ['-xc', `${scriptOf(page)}\n${again}`], { cwd: root, env, encoding: 'utf8' });
  });
  after(() => rmSync(home, { recursive: true }));

  it('the commands of the page on installation succeed one after another, with the files of those before', () => {
    expect(ran.status, `${ran.stdout}\n${ran.stderr}`).to.equal(0);
    expect(scriptOf(page).match(/provision/g)?.length, 'uses of provision').to.be.greaterThan(4);
  });
  it('provisioning by the page on installation has all that it needs but the server', () => {
    expect(read('provision.txt')).to.match(/PostgreSQL at vds\.c0ffee\.\S+ was not ready within 1 s/);
  });
  it('after all steps of the page on installation databases are provisioned again with nothing more than at first', () => {
    expect(read('again.txt')).to.match(/PostgreSQL at vds\.c0ffee\.\S+ was not ready within 1 s/);
  });
  it('the two releases of the page on installation have no host name in common, and one set of alerts and dashboards', () => {
    const [first, second] = [read('vds.yaml'), read('qa-vds.yaml')];
    const hosts = [...first.matchAll(/\b(?:api|play)\.example\.org\b/g)].map(([host]) => host);
    expect(new Set(hosts).size).to.equal(2);
    for (const host of new Set(hosts)) expect(second).not.to.match(new RegExp(`[^-\\w]${host}`));
    for (const one of ['kind: PrometheusRule', 'grafana_dashboard']) {
      expect(first).to.include(one);
      expect(second).not.to.include(one);
    }
  });
  it('the folder of the page on installation has exactly the keys that the pods of its release use, readable only by its owner', () => {
    const used = referencedSecrets(parseResources(read('vds.yaml'))).filter((one) => !one.endsWith('-tls/*'));
    const files = globSync('vds/secrets/*/*', { cwd: home });
    expect(used).to.have.length.greaterThan(20);
    // The platform's apps are no pods of the release.
    expect(files.map((file) => file.replace('vds/secrets/', 'vds-'))).to.have.members([...used, 'vds-apps/APPS_TOKEN']);
    for (const file of files) expect(statSync(join(home, file)).mode & 0o077, file).to.equal(0);
  });
  it('the page on installation makes a policy for exactly the buckets that each component of its release uses', () => {
    const used = bucketsIn(componentsOf(parseResources(read('vds.yaml'))));
    const policies = JSON.parse(read('vds/iam.json')) as Record<
      string,
      { Statement: { Resource: string | string[] }[] }
    >;
    const allowed = Object.entries(policies).map(([name, { Statement }]) => {
      const resources = Statement.flatMap(({ Resource }) => Resource);
      return [name, [...new Set(resources.map((one) => one.replace(/^arn:aws:s3:::([^/]+).*$/, '$1')))].toSorted()];
    });
    expect(Object.fromEntries(allowed)).to.deep.equal(used);
    const names = Object.values(used).flat();
    const [, created = ''] = /^for bucket in (.+); do aws s3 mb /m.exec(page.commands.join('\n')) ?? [];
    const roles = created.match(/(?<=\$)[A-Z]+(?=_BUCKET)/g)?.map((role) => `example-vds-${role.toLowerCase()}`);
    expect(roles).to.have.members([...new Set(names)]);
    expect(names).to.include('example-vds-analytics');
    // On AWS a bare word is somebody else's bucket.
    for (const name of names) expect(name).to.match(/^example-vds-\w+$/);
  });
  for (const [release, prefix] of [
    ['vds', ''],
    ['qa-vds', 'qa-'],
  ] as const)
    it(`the page on installation makes exactly the databases, roles and users of NATS that its release ${release} logs in with`, () => {
      const components = componentsOf(parseResources(read(`${release}.yaml`)));
      const sql = read(`vds/${prefix}databases.sql`);
      const made = [...sql.matchAll(/create database "?(\w+)"? owner "?(\w+)"?/gi)].map(
        ([, name, owner]) => `${owner} ${name}`,
      );
      const urls = [...new Set(components.flatMap(({ variables }) => variables.get('DATABASE_URL') ?? []))];
      const logins = urls.map((url) => `${new URL(url).username} ${new URL(url).pathname.slice(1)}`);
      const owners = logins.filter((login) => /_owner /.test(login));
      expect(made).to.have.members(owners).and.have.length.greaterThan(5);
      const roles = [...sql.matchAll(/create role "?(\w+)"?/gi)].map(([, name]) => name);
      expect(new Set(roles)).to.deep.equal(new Set(logins.map((login) => login.split(' ')[0])));
      const users = components.flatMap(({ variables }) => variables.get('NATS_USER') ?? []);
      const allowed = [...read(`vds/${prefix}nats.conf`).matchAll(/"user": "([\w-]+)"/g)].map(([, user]) => user);
      expect(allowed)
        .to.have.members([...new Set(users)])
        .and.have.length.greaterThan(5);
    });
  it('the page on installation lists streams that its users of NATS may create, and says for how many to make room', () => {
    const text = readFileSync(join(root, 'deploy/guide/install.md'), 'utf8');
    const listed = [...text.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, stream]) => stream);
    const allowed = [...read('vds/nats.conf').matchAll(/"\$JS\.API\.STREAM\.CREATE\.([A-Z_]+)"/g)];
    expect(allowed.map(([, stream]) => stream)).to.include.members(listed);
    expect(listed).to.have.length.greaterThan(10);
    expect(text).to.include(`room for ${listed.length + 1} of them`);
  });
  it('without the component for performance data, as the page on installation leaves it out, nothing of the release needs its bucket or database', () => {
    const text = readFileSync(join(root, 'deploy/guide/install.md'), 'utf8');
    expect(text).to.include('`components.analytics: null`');
    const resources = parseResources(rendered('components.analytics=null'));
    const components = componentsOf(resources);
    expect(components.map(({ name }) => name))
      .to.include('playback')
      .and.not.include('analytics');
    const values = components.flatMap(({ variables }) => [...variables.values()]).join('\n');
    expect(values)
      .to.include('example-vds-media')
      .and.not.match(/analytics/);
    expect(referencedSecrets(resources).join('\n')).not.to.include('analytics');
  });
  it('the values of the page on installation replace every example address of production.yaml', () => {
    expect(read('vds.yaml')).to.include('example.org').and.not.include('example.com');
  });
  it('the output of the page on installation for administrators has the names that the release uses', () => {
    const [sql, iam, nats, role] = ['databases.sql', 'iam.json', 'nats.conf', 'opensearch.json'].map((name) =>
      read(join('vds', name)),
    );
    const release = read('vds.yaml');
    expect(release).to.include('postgresql://catalog@vds.c0ffee.eu-central-1.rds.amazonaws.com:5432/catalog');
    expect(sql).to.match(/create database "?catalog"? owner "?catalog_owner"?/i);
    expect(release).to.include('MEDIA_BUCKET: "example-vds-media"');
    expect(iam).to.include('arn:aws:s3:::example-vds-media/*');
    expect(release).to.include('NATS_USER: "catalog"');
    expect(nats).to.include('"catalog"').and.include(read('vds/secrets/catalog/NATS_PASSWORD'));
    expect(release).to.include('OPENSEARCH_USER: "indexer"');
    expect(role).to.include('"vds-videos-*"').and.include('"indexer"');
  });
  it('the output of the page on installation for administrators of databases, buckets and indexes has no password', () => {
    const printed = ['databases.sql', 'iam.json', 'opensearch.json'].map((name) => read(join('vds', name))).join('\n');
    const passwords = globSync('vds/secrets/*/*PASSWORD', { cwd: home });
    expect(passwords).to.have.length.greaterThan(15);
    for (const file of passwords) expect(printed, file).not.to.include(read(file));
  });
  it('with creds files, the output of the page on installation makes one for each component whose pods mount it', () => {
    const resources = parseResources(rendered('external.nats.auth=creds'));
    const mounted = referencedSecrets(resources).filter((one) => one.endsWith('/NATS_CREDS'));
    const written = [...read('vds/nats.conf').matchAll(/> (\S+\/NATS_CREDS)/g)].map(([, path]) => `vds-${path}`);
    expect(written.toSorted()).to.deep.equal(mounted).and.have.length.greaterThan(5);
  });
  it('the prefix of the page on installation is that of the databases, subjects and buckets of its second release', () => {
    const release = read('qa-vds.yaml');
    expect(release).to.include('/qa_catalog').and.include('MEDIA_BUCKET: "qa-media"').and.include('NATS_PREFIX: "qa"');
    expect(read('vds/qa-databases.sql')).to.match(/create database "?qa_catalog"? owner "?qa_catalog_owner"?/i);
    expect(read('vds/qa-nats.conf')).to.include('qa.catalog.').and.include('qa-catalog');
    expect(read('vds/qa-secrets/ingest/S3_ACCESS_KEY')).to.equal('qa-ingest');
  });
});
