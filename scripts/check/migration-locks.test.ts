import { expect } from 'chai';
import { lockFaults } from './migration-locks.ts';
import { migrationFaults } from './migrations.ts';

describe('the check of locks in migrations', () => {
  const found = (sql: string): string => lockFaults(sql).join('\n');

  const long: readonly (readonly [what: string, sql: string, fault: string])[] = [
    ['an index that stops writers', 'CREATE INDEX IF NOT EXISTS i ON public.videos (a);', 'for want of CONCURRENTLY'],
    ['a unique index', 'CREATE UNIQUE INDEX i ON videos (a);', 'for want of CONCURRENTLY'],
    ['a new NOT NULL', 'ALTER TABLE videos ALTER COLUMN a SET NOT NULL;', 'scans the table'],
    ['a changed type', 'ALTER TABLE videos ALTER a TYPE bigint;', 'rewrites the table'],
    ['a default that differs by row', 'ALTER TABLE videos ADD a uuid DEFAULT gen_random_uuid();', 'rewrites the table'],
    ['a numbered column', 'ALTER TABLE videos ADD COLUMN a bigserial;', 'rewrites the table'],
    ['a computed column', 'ALTER TABLE videos ADD a int GENERATED ALWAYS AS (b + 1) STORED;', 'rewrites the table'],
    ['a unique column', 'ALTER TABLE videos ADD COLUMN a int UNIQUE;', 'builds an index'],
    ['a checked column', 'ALTER TABLE videos ADD a int CHECK (a > 0);', 'NOT VALID'],
    ['a column that refers to another table', 'ALTER TABLE videos ADD a text REFERENCES b (id);', 'NOT VALID'],
    ['a table that is logged again', 'ALTER TABLE videos SET LOGGED;', 'rewrites the table'],
    ['a checked constraint', 'ALTER TABLE videos ADD CONSTRAINT c CHECK (a > 0);', 'for want of NOT VALID'],
    ['a checked reference', 'ALTER TABLE videos ADD FOREIGN KEY (a) REFERENCES b (a);', 'for want of NOT VALID'],
    ['a primary key', 'ALTER TABLE videos ADD PRIMARY KEY (a);', 'for want of USING INDEX'],
    ['an explicit lock', 'LOCK TABLE videos;', 'locks a table for long'],
    ['a reindex', 'REINDEX TABLE videos;', 'for want of CONCURRENTLY'],
    [
      'a backfill under the lock of a new column',
      'ALTER TABLE videos ADD a int; UPDATE videos SET a = b;',
      'needs a file of its own, without the locks of this one: UPDATE',
    ],
    [
      'a backfill by a common table expression',
      'ALTER TABLE videos ADD a int; WITH x AS (SELECT 1) UPDATE videos SET a = b;',
      'needs a file of its own',
    ],
    [
      'a validation under the lock of its constraint',
      'ALTER TABLE videos ADD CONSTRAINT c CHECK (a > 0) NOT VALID; ALTER TABLE videos VALIDATE CONSTRAINT c;',
      'needs a file of its own',
    ],
  ];
  for (const [what, sql, fault] of long)
    it(`the check of locks finds ${what}`, () => expect(found(sql)).to.contain(fault));

  const brief: readonly (readonly [what: string, sql: string])[] = [
    [
      'anything on a table of its own file',
      'CREATE TABLE t (a int); ALTER TABLE t ADD PRIMARY KEY (a); UPDATE t SET a = 1;',
    ],
    [
      'a column with one default',
      "ALTER TABLE videos ADD COLUMN a text NOT NULL DEFAULT 'x', ADD b timestamptz DEFAULT now();",
    ],
    ['an index built concurrently', 'CREATE INDEX CONCURRENTLY i ON videos (a);'],
    ['a constraint that is not validated yet', 'ALTER TABLE videos ADD CONSTRAINT c CHECK (a > 0) NOT VALID;'],
    ['its validation alone', 'ALTER TABLE videos VALIDATE CONSTRAINT c;'],
    ['a key of an index that exists', 'ALTER TABLE videos ADD CONSTRAINT k UNIQUE USING INDEX i;'],
    ['a backfill alone', 'UPDATE videos SET a = b WHERE a IS NULL;'],
    ['a reason', '-- brief lock: publishers stays small\nCREATE INDEX i ON publishers (a);'],
  ];
  for (const [what, sql] of brief) it(`the check of locks accepts ${what}`, () => expect(found(sql)).to.equal(''));

  it('the check of locks also holds for migrations that contract', () => {
    const contract = '-- contract: since 1.9.0\nALTER TABLE videos ALTER a SET NOT NULL;';
    expect(migrationFaults(contract, '1.10.0').join()).to.contain('scans the table');
  });
});
