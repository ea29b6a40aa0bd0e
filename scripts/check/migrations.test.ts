import { expect } from 'chai';
import { repositoryOf } from './architecture/repository.ts';
import { expandFaults, migrationFaults, repositoryFaults } from './migrations.ts';

describe('the check of migrations', () => {
  const found = (sql: string): string => expandFaults(sql).join('\n');

  const breaking: readonly (readonly [what: string, sql: string, fault: string])[] = [
    ['a dropped table', 'DROP TABLE "videos";', 'takes something away'],
    [
      'a dropped column',
      'ALTER TABLE videos ADD a int, DROP COLUMN b;',
      'takes something away: ALTER TABLE videos DROP',
    ],
    ['a dropped constraint', 'alter table videos drop constraint one_key;', 'takes something away'],
    ['a renamed table', 'ALTER TABLE videos RENAME TO titles;', 'renames something'],
    ['a renamed column', 'alter table only public."videos" rename column a to b;', 'renames something'],
    ['a renamed index', 'alter index a rename to b;', 'renames something'],
    ['a changed type', 'ALTER TABLE videos ALTER COLUMN a SET DATA TYPE bigint;', 'changes a type'],
    ['a new NOT NULL', 'ALTER TABLE videos ALTER a SET NOT NULL;', 'no longer write nulls'],
    ['a default that goes', 'ALTER TABLE videos ALTER a DROP DEFAULT;', 'a value that old images rely on'],
    ['a column that must be given', 'ALTER TABLE videos ADD COLUMN a text NOT NULL;', 'that old images do not fill'],
    ['a new rule', 'ALTER TABLE videos ADD CONSTRAINT c CHECK (a > 0);', 'a rule that old images may break'],
    ['a new unique index', 'CREATE UNIQUE INDEX CONCURRENTLY i ON videos (a);', 'a rule that old images may break'],
    [
      'an index in a transaction',
      'SELECT 1; CREATE INDEX CONCURRENTLY i ON videos (a);',
      'the only statement of its file',
    ],
    ['removed rows', 'DELETE FROM videos;', 'removes rows'],
    ['a right taken away', 'REVOKE SELECT ON videos FROM catalog;', 'takes rights away'],
    ['what a DO block does', 'DO $$ BEGIN ALTER TABLE videos DROP COLUMN a; END $$;', 'takes something away'],
  ];
  for (const [what, sql, fault] of breaking)
    it(`the check of migrations finds ${what}`, () => expect(found(sql)).to.contain(fault));

  const expanding: readonly (readonly [what: string, sql: string])[] = [
    ['a new table with its rules and indexes', 'CREATE TABLE t (a int NOT NULL); CREATE UNIQUE INDEX i ON t (a);'],
    ['a column that may be null', 'ALTER TABLE videos ADD COLUMN a text, ADD b numeric(3, 1);'],
    ['a column with a default', "ALTER TABLE videos ADD COLUMN a text NOT NULL DEFAULT 'x, not null';"],
    ['an index that stops nobody', 'CREATE INDEX CONCURRENTLY i ON videos (a);'],
    ['NOT NULL with a default', 'ALTER TABLE videos ALTER a SET DEFAULT 0; ALTER TABLE videos ALTER a SET NOT NULL;'],
    ['fewer rules', 'ALTER TABLE videos ALTER COLUMN a DROP NOT NULL;'],
    ['a backfill', 'UPDATE videos SET a = b WHERE a IS NULL;'],
    ['what only a comment, a string or a function says', "-- DROP TABLE a;\nSELECT 'DROP TABLE a; DROP TABLE b';"],
    ['the body of a function', 'CREATE FUNCTION f() RETURNS void AS $f$ BEGIN DROP TABLE a; END $f$ LANGUAGE plpgsql;'],
  ];
  for (const [what, sql] of expanding)
    it(`the check of migrations accepts ${what}`, () => expect(found(sql)).to.equal(''));

  it('the check of migrations lets a file remove what an earlier version stopped using, and nothing newer', () => {
    const contract = (since: string): string[] =>
      migrationFaults(`-- contract: since ${since}\nDROP TABLE a;`, '1.10.0');
    expect(contract('1.9.0')).to.deep.equal([]);
    expect(contract('1.10.0').join()).to.contain('still need what it takes away');
    expect(contract('soon').join()).to.contain('no version');
    expect(migrationFaults('DROP TABLE a;', '1.10.0').join()).to.contain('contract: since');
  });

  it('the check of migrations skips the first version’s files if they exist, and requires numbered names', () => {
    const old = 'services/lens/prisma/migrations/0001_init/migration.sql';
    const files = { [old]: 'DROP TABLE a;', 'services/_chassis/migrations/0003_more.sql': 'DROP TABLE b;' };
    const known = new Set([old]);
    expect(repositoryFaults(repositoryOf(files), '1.0.0', known)).to.have.length(1);
    expect(repositoryFaults(repositoryOf({}), '1.0.0', known).join()).to.contain('is gone');
    const odd = { [old]: '', 'services/lens/prisma/migrations/next/migration.sql': '' };
    expect(repositoryFaults(repositoryOf(odd), '1.0.0', known).join()).to.contain('next: a migration is called like');
  });
});
