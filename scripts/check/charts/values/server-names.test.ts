/** The names on the servers that the chart derives are those that provisioning and host stacks derive. */
import { expect } from 'chai';
import {
  bucketName,
  databaseName,
  indexPrefix,
  ownerRole,
  runtimeRole,
  userName,
} from '@vds/deploy-tools/installation';
import { rowOf, serviceNames, type ServiceName } from '@vds/deploy-tools/services';
import { skipBecause } from '@vds/testkit/skip';
import { componentsOf } from '../environment.ts';
import { canRender, render } from '../render.ts';

describe('the names on the servers', function () {
  this.timeout(30_000);
  const variablesWith = async (prefix: string) => {
    const args = ['--values', 'charts/vds/ci/required-values.yaml', '--set', `external.prefix=${prefix}`];
    const all = componentsOf(await render('vds', 'vds', args));
    return (service: ServiceName, program: string) =>
      all.find(({ args: run }) => run[0] === program && (run[1] ?? service) === service)?.variables ?? new Map();
  };

  for (const prefix of ['', 'north'])
    it(`with the prefix '${prefix}' each component gets the names that provisioning makes`, async function () {
      if (!canRender()) skipBecause(this, 'helm is not on PATH');
      const variablesOf = await variablesWith(prefix);
      for (const service of serviceNames) {
        const { database, ownsBuckets, readsBuckets, search } = rowOf(service);
        const own = variablesOf(service, `services/${service}/src/main.ts`);
        const at = `postgres.example.com:5432/${databaseName(prefix, service)}`;
        if (database) {
          const migration = variablesOf(service, 'deploy/tools/migrate/main.ts');
          expect(own.get('DATABASE_URL')).to.equal(`postgresql://${runtimeRole(prefix, service)}@${at}`);
          expect(migration.get('DATABASE_URL')).to.equal(`postgresql://${ownerRole(prefix, service)}@${at}`);
        }
        for (const role of [...ownsBuckets, ...readsBuckets])
          expect(own.get(`${role.toUpperCase()}_BUCKET`), service).to.equal(bucketName(prefix, role));
        if (search) expect(own.get('INDEX_PREFIX')).to.equal(indexPrefix(prefix));
        if (own.has('NATS_URL')) expect(own.get('NATS_USER')).to.equal(userName(prefix, service));
        expect(own.get('NATS_PREFIX'), service).to.equal(own.has('NATS_URL') && prefix !== '' ? prefix : undefined);
      }
    });
});
