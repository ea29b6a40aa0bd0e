import { expect } from 'chai';
import { accessEngines, grantStatements, revokeStatements } from '../src/domain/warehouse/access.ts';

const access = {
  ...{ organizationId: 'org_a', bucket: 'vod-analytics', database: 'vds', servingUser: 'serving' },
  ...{ cluster: undefined, password: 'geheim' },
};

describe('access of an organization with an engine of its own', () => {
  for (const engine of accessEngines)
    it(`the statements for ${engine} name the organization, and what gives access is taken away by name`, () => {
      expect(grantStatements(engine, access)).to.include('org_a');
      expect(revokeStatements(engine, access)).to.include('org_a');
      expect(revokeStatements(engine, access)).to.not.include('geheim');
    });

  it('a policy of storage allows reading below the prefix of the organization, and listing nothing else', () => {
    const [policy = ''] = /^\{.*\}$/m.exec(grantStatements('files', access)) ?? [];
    const { Statement } = JSON.parse(policy) as { Statement: Record<string, unknown>[] };
    expect(Statement.map(({ Action, Resource, Condition }) => [Action, Resource, Condition])).to.deep.equal([
      ['s3:GetObject', 'arn:aws:s3:::vod-analytics/organization=org_a/*', undefined],
      ['s3:ListBucket', 'arn:aws:s3:::vod-analytics', { StringLike: { 's3:prefix': ['organization=org_a/*'] } }],
    ]);
  });

  it('in ClickHouse every table that holds rows has a policy for the user and one for the service', () => {
    const statements = grantStatements('clickhouse', access);
    for (const user of ['org_a', 'serving'])
      expect(statements).to.match(
        new RegExp(
          `CREATE ROW POLICY IF NOT EXISTS ${user} ON vds.stored_videos, vds.stored_events, vds.play_parts FOR SELECT USING .* TO ${user};`,
        ),
      );
    expect(grantStatements('clickhouse', { ...access, cluster: 'main' })).to.include("org_a ON CLUSTER 'main'");
  });
});
