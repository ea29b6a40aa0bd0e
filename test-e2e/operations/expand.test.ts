/** Expand, then contract: this version's images run on the schema of the next one, through a whole story. */
import { expect } from 'chai';
import { copyFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { makeSample } from '@vds/scripts/media/make-samples';
import { pairs } from '@vds/scripts/media/sample-list';
import { command } from '../target/cluster/command.ts';
import { productChart, releaseValues } from '../target/cluster/install.ts';
import { apply, kubectl, release } from '../target/cluster/release.ts';
import { bare } from '../target/apps.ts';
import type { Target } from '../target/host.ts';
import { theCluster } from '../target/the-target.ts';

/** What the next version brings: one column more, with a default, and one that may be empty. */
const next = {
  name: '9999_next',
  sql: `ALTER TABLE "videos" ADD COLUMN "next_rank" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "videos" ADD COLUMN "next_note" TEXT;
`,
};
const job = `${release.name}-catalog-next`;

type Pod = { readonly containers: readonly { readonly volumeMounts: object[] }[]; readonly volumes: object[] };
type Manifest = {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly labels: object };
  readonly spec?: { readonly template?: { readonly spec: Pod } };
};

/** What a migration of the chart consists of, rendered: its Job, and the account and policy that are gone with it. */
const renderMigration = async (): Promise<Manifest[]> => {
  const only = ['migrations', 'networkpolicy-tools'].flatMap((file) => ['--show-only', `templates/${file}.yaml`]);
  const options = ['--namespace', release.namespace, ...only];
  const rendered = await command('helm', ['template', release.name, productChart, ...releaseValues(), ...options]);
  const all = parseAllDocuments(rendered).flatMap((document) => (document.toJS() as Manifest | null) ?? []);
  return all.filter(({ metadata }) =>
    [`${release.name}-migrate`, `${release.name}-catalog-migrate`].includes(metadata.name),
  );
};

/** Without the hooks, which only Helm knows, and under a name of the test's own. */
const plain = ({ metadata, ...rest }: Manifest): Manifest => ({
  ...rest,
  metadata: {
    name: rest.kind === 'Job' ? job : metadata.name,
    namespace: release.namespace,
    labels: metadata.labels,
  },
});

/** The chart's own migration of catalog, with one more in its image's folder. */
const migrationOfNext = async (): Promise<Manifest[]> => {
  const manifests = (await renderMigration()).map(plain);
  const pod = manifests.find(({ kind }) => kind === 'Job')?.spec?.template?.spec;
  if (!pod) throw new Error('the chart renders no migration of catalog');
  const mountPath = `/app/services/catalog/prisma/migrations/${next.name}`;
  pod.containers[0]?.volumeMounts.push({ name: 'next', mountPath, readOnly: true });
  pod.volumes.push({ name: 'next', configMap: { name: job } });
  return manifests;
};

describe('a release on the schema of the next version', function () {
  this.timeout(900_000);
  let target: Target;
  let migrated = false;
  before(async function () {
    target = await theCluster(this);
    const { namespace } = release;
    await apply({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: job, namespace },
      data: { 'migration.sql': next.sql },
    });
    await apply(...(await migrationOfNext()));
    migrated = true;
    await kubectl(['wait', `job/${job}`, '--for', 'condition=complete', '--timeout', '300s']);
  });
  after(async () => {
    if (!migrated) return;
    const pool = target.site.adminPool('catalog');
    await pool.query('ALTER TABLE videos DROP COLUMN IF EXISTS next_rank, DROP COLUMN IF EXISTS next_note');
    await pool.query('DELETE FROM _prisma_migrations WHERE migration_name = $1', [next.name]);
    const lent = ['serviceaccount', 'networkpolicy'].map((kind) => `${kind}/${release.name}-migrate`);
    await kubectl(['delete', `job/${job}`, `configmap/${job}`, ...lent, '--ignore-not-found']);
  });

  it('takes a video from its address to its end, with pods that ran before and pods that start on it', async () => {
    const partner = await target.newPartner('Expand');
    const file = await makeSample(pairs.find(({ height }) => height === 240) ?? pairs[0]!);
    await copyFile(file, join(target.media, basename(file)));
    const whole = async (): Promise<string> => {
      const id = await partner.submit(target.origin.url(`/${basename(file)}`), { title: 'On the next schema' });
      expect((await partner.settled(id)).status).to.equal('ready');
      expect((await partner.archive(id)).status).to.equal(200);
      expect((await partner.republish(id)).status).to.equal(200);
      expect((await partner.remove(id)).body.status).to.equal('deleted');
      return id;
    };
    const ids = [await whole()];
    await kubectl(['rollout', 'restart', `deployment/${release.name}-catalog`]);
    await kubectl(['rollout', 'status', `deployment/${release.name}-catalog`, '--timeout', '300s']);
    ids.push(await whole());
    const { rows } = await target.site
      .adminPool('catalog')
      .query('SELECT next_rank, next_note FROM videos WHERE id = ANY($1)', [ids.map(bare)]);
    expect(rows).to.deep.equal(ids.map(() => ({ next_rank: 0, next_note: null })));
  });
});
