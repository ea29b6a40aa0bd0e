/**
 * Expand, then contract: this version's images run on the schema of the next one, through the whole life of a video.
 */
import { expect } from 'chai';
import { parseAllDocuments } from 'yaml';
import { smallSample } from '@vds/testkit/media/make-samples';
import { command } from '../harness/cluster/command.ts';
import { productChart, releaseValues } from '../harness/cluster/install.ts';
import { apply, kubectl, release } from '../harness/cluster/release.ts';
import { bare } from '../harness/apps-client.ts';
import type { Target } from '../harness/host/host.ts';
import { theCluster } from '../harness/shared-target.ts';

/** The next version's additions: one column with a default, and one that is nullable. */
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

/** The chart's migration of catalog, rendered; its account and its policy exist since the last install or upgrade. */
async function renderMigration(): Promise<Manifest> {
  const only = ['--show-only', 'templates/tools/migrations.yaml', '--namespace', release.namespace];
  const rendered = await command('helm', ['template', release.name, productChart, ...releaseValues(), ...only]);
  const all = parseAllDocuments(rendered).flatMap((document) => (document.toJS() as Manifest | null) ?? []);
  const found = all.find(({ kind, metadata }) => kind === 'Job' && metadata.name === `${release.name}-catalog-migrate`);
  if (!found) throw new Error('the chart renders no migration of catalog');
  return found;
}

/** The same with one more migration in its image's folder, under the test's own name, and not as a Helm hook. */
async function migrationOfNext(): Promise<object> {
  const { metadata, ...rest } = await renderMigration();
  const pod = rest.spec?.template?.spec;
  const mountPath = `/app/services/catalog/prisma/migrations/${next.name}`;
  pod?.containers[0]?.volumeMounts.push({ name: 'next', mountPath, readOnly: true });
  pod?.volumes.push({ name: 'next', configMap: { name: job } });
  return { ...rest, metadata: { name: job, namespace: release.namespace, labels: metadata.labels } };
}

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
    await apply(await migrationOfNext());
    migrated = true;
    await kubectl(['wait', `job/${job}`, '--for', 'condition=complete', '--timeout', '300s']);
  });
  after(async () => {
    if (!migrated) return;
    const pool = target.site.adminPool('catalog');
    await pool.query('ALTER TABLE videos DROP COLUMN IF EXISTS next_rank, DROP COLUMN IF EXISTS next_note');
    await pool.query('DELETE FROM _prisma_migrations WHERE migration_name = $1', [next.name]);
    await kubectl(['delete', `job/${job}`, `configmap/${job}`, '--ignore-not-found']);
  });

  it('a video goes from submission to deletion with pods started before and after the migration', async () => {
    const partner = await target.newPartner('Expand');
    const sourceUrl = await target.serve(await smallSample());
    const whole = async (): Promise<string> => {
      const id = await partner.submit(sourceUrl, { title: 'On the next schema' });
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
