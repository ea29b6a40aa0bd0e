/** Each rule finds an injected violation and ignores a similar case that is permitted. */
import { expect } from 'chai';
import { repositoryOf, type Rule } from './repository.ts';
import { eventsRule } from './rules/events.ts';
import { chassisTables } from './rules/chassis-tables.ts';
import { connections } from './rules/connections.ts';
import { constants } from './rules/constants.ts';
import { declarations } from './rules/declarations.ts';
import { fixedSleeps } from './rules/fixed-sleeps.ts';
import { pureDomain } from './rules/imports.ts';
import { names } from './rules/names.ts';
import { ownPackage, packageFloors } from './rules/packages.ts';
import { prismaReads } from './rules/prisma-reads.ts';
import { retention } from './rules/retention.ts';
import { serviceLayout } from './rules/service-layout.ts';
import { wholeConfig } from './rules/whole-config.ts';
import { testTitles } from './rules/test-titles.ts';
import { topLevel } from './rules/top-level.ts';

/** The rule's messages for the files, one violation per line. */
function breachesOf(rule: Rule, files: Readonly<Record<string, string>>): string {
  return rule.breaches(repositoryOf(files)).join('\n');
}

describe('the top-level rule', () => {
  it('the top-level rule finds an unknown folder and a missing file', () => {
    const found = breachesOf(topLevel, { 'notes/today.md': '', 'package.json': '' });
    expect(found).to.include('notes does not belong').and.include('README.md is missing');
    expect(found).not.to.include('package.json');
  });
});

describe('the rule of floors', () => {
  it('the rule of floors finds an import that goes up or sideways, and lets tests use the test kit', () => {
    const folders = { scripts: 'scripts', testkit: 'services/_testkit', lens: 'services/lens', zoom: 'services/zoom' };
    const packages = Object.fromEntries(
      Object.entries(folders).map(([name, folder]) => [`${folder}/package.json`, `{"name":"@vds/${name}"}`]),
    );
    const found = breachesOf(packageFloors, {
      ...packages,
      'services/_testkit/a.ts': "import { a } from '@vds/scripts/a';",
      'services/lens/src/b.ts': "import { a } from '@vds/zoom/a';",
      'services/lens/src/a.ts': "import { a } from '@vds/testkit/a';",
      'services/lens/test/a.ts': "import { a } from '@vds/testkit/a';",
      'deploy/tools/test/a.ts': "import { a } from '@vds/testkit/a';",
    });
    expect(found.split('\n')).to.have.members([
      'services/_testkit/a.ts:1 imports @vds/scripts/a: scripts is not below services/_testkit',
      'services/lens/src/a.ts:1 imports @vds/testkit/a: services/_testkit is not below services/lens',
      'services/lens/src/b.ts:1 imports @vds/zoom/a: services/zoom is not below services/lens',
    ]);
  });
});

describe('the rule of configurations', () => {
  it('the rule of configurations finds a whole one among dependencies, and accepts named settings', () => {
    const main = (text: string) => breachesOf(wholeConfig, { 'services/lens/src/main.ts': text });
    expect(main('open({ log, ...config })')).to.equal('services/lens/src/main.ts:1 spreads the whole configuration');
    expect(main('open({ log, ...configured, slots: config.slots })')).to.equal('');
  });
});

describe('the rule of a service’s layout', () => {
  const whole = {
    'services/lens/README.md': '',
    'services/lens/package.json': '',
    'services/lens/src/main.ts': '',
    'services/lens/src/config.ts': '',
    'services/lens/src/domain/focus.ts': '',
    'services/lens/src/inbound/rpc.ts': '',
    'services/lens/test/focus.test.ts': '',
  };
  it('the rule of a service’s layout accepts a complete service', () =>
    expect(breachesOf(serviceLayout, whole)).to.equal(''));
  it('the rule of a service’s layout finds a missing file', () => {
    const { 'services/lens/src/config.ts': _gone, ...rest } = whole;
    expect(breachesOf(serviceLayout, rest)).to.equal('services/lens lacks src/config.ts');
  });
  it('the rule of a service’s layout finds a folder that is not in the layout', () => {
    expect(breachesOf(serviceLayout, { ...whole, 'services/lens/src/utils/a.ts': '' })).to.include(
      'src/utils is not part',
    );
    expect(breachesOf(serviceLayout, { ...whole, 'services/_chassis/helpers/a.ts': '' })).to.include(
      '_chassis/helpers is not part',
    );
  });
  it('the rule of a service’s layout requires a place for jobs and one for purges if a stage runs', () => {
    const stage = { ...whole, 'services/lens/src/inbound/lens-stage.ts': '' };
    expect(breachesOf(serviceLayout, stage)).to.equal(
      'services/lens lacks a job in src/domain/jobs/\nservices/lens lacks src/outbound/purge.ts',
    );
    const complete = {
      ...stage,
      'services/lens/src/domain/jobs/focus.ts': '',
      'services/lens/src/outbound/purge.ts': '',
    };
    expect(breachesOf(serviceLayout, complete)).to.equal('');
  });
  it('the rule of a service’s layout requires migrations beside a schema', () => {
    expect(breachesOf(serviceLayout, { ...whole, 'services/lens/prisma/schema.prisma': '' })).to.include(
      'lacks a migration',
    );
  });
});

describe('the rule of declarations', () => {
  it('the rule of declarations finds functions that are constants of a module, unless they have an annotated type', () => {
    const found = breachesOf(declarations, {
      'a/found.ts': 'export const f = (a: number): number => a;\nconst g = async (): Promise<void> => {};',
      'a/right.ts':
        'function f(): void {\n  const inner = (): void => {};\n  inner();\n}\nexport const t: Test = () => f();',
    });
    expect(found).to.equal(
      'a/found.ts:1 declares f as a constant; make it a function declaration\n' +
        'a/found.ts:2 declares g as a constant; make it a function declaration',
    );
  });
});

describe('the rule of the chassis’s tables', () => {
  it('the rule of the chassis’s tables finds SQL of a service on them, and none of the chassis itself', () => {
    const found = breachesOf(chassisTables, {
      'services/lens/src/a.ts': "import '@vds/chassis/x';\n// chassis.jobs\nquery('SELECT 1 FROM chassis.jobs');",
      'services/lens/src/b.ts': 'query(`SELECT ${columns}\n FROM chassis.stages`);',
      'services/lens/test/a.test.ts': "query('SELECT 1 FROM chassis.jobs');",
      'services/_chassis/src/a.ts': "query('SELECT 1 FROM chassis.jobs');",
    });
    expect(found).to.equal(
      'services/lens/src/a.ts:3 has SQL on a table of the chassis; call a function of the chassis instead\n' +
        'services/lens/src/b.ts:1 has SQL on a table of the chassis; call a function of the chassis instead',
    );
  });
});

describe('the rule of Prisma', () => {
  it('the rule of Prisma finds its transactions and raw writes in services, and not its reads', () => {
    const found = breachesOf(prismaReads, {
      'services/lens/src/a.ts': 'prisma.$transaction(async () => {});\nprisma.lens.findMany();',
      'services/lens/src/b.ts': 'prisma.$executeRaw`DELETE FROM lenses`;',
      'services/lens/test/a.test.ts': 'prisma.$transaction([]);',
    });
    expect(found).to.equal(
      'services/lens/src/a.ts:1 uses $transaction; write through withTransaction instead\n' +
        'services/lens/src/b.ts:1 uses $executeRaw; write through withTransaction instead',
    );
  });
});

describe('the rule of kebab-case names', () => {
  it('the rule of kebab-case names finds other folders and files, and accepts what tools prescribe', () => {
    const found = breachesOf(names, {
      'scripts/my_folder/a.ts': '',
      'deploy/values/myValues.yaml': '',
      'services/_chassis/src/object-store.test.ts': '',
      'services/lens/prisma/migrations/0001_init/migration.sql': '',
      'proto/vds/lens/v1/lens_events.proto': '',
      'charts/vds/templates/_helpers.tpl': '',
      'deploy/Dockerfile': '',
    });
    expect(found).to.equal('scripts/my_folder/a.ts is not kebab-case\ndeploy/values/myValues.yaml is not kebab-case');
  });
});

describe('the rules of imports', () => {
  it('the rules of imports find a relative path from one package into another, also into a nested one', () => {
    const packages = { 'services/lens/package.json': '', 'services/zoom/package.json': '', 'proto/package.json': '' };
    const found = breachesOf(ownPackage, {
      ...packages,
      'services/_client/package.json': '',
      'services/lens/src/a.ts': "import { y } from '../../zoom/src/y.ts';\nimport type { B } from './b.ts';",
      'services/lens/test/b.ts': "await import('../src/a.ts');\nexport { z } from '../../../scripts/z.ts';",
      'services/_client/src/a.ts': "import type { C } from '../../../proto/generated/openapi.ts';",
      'proto/a.ts': "import '../services/_client/b.ts';\nimport '@vds/zoom/y';",
    });
    expect(found).to.equal(
      'proto/a.ts:1 imports ../services/_client/b.ts, a file of another package\n' +
        'services/lens/src/a.ts:1 imports ../../zoom/src/y.ts, a file of another package\n' +
        'services/lens/test/b.ts:2 imports ../../../scripts/z.ts, a file of another package',
    );
  });
  it('the rules of imports find a domain that imports more than pure modules', () => {
    const allowed =
      "import { AppError } from '@vds/chassis/errors';\nimport type { V } from '@vds/proto/generated/v.ts';\nimport './b.ts';\n";
    const domain = (text: string): string =>
      breachesOf(pureDomain, { 'services/lens/src/domain/a.ts': allowed + text });
    expect(domain('')).to.equal('');
    expect(domain("import pg from 'pg';")).to.include('imports pg');
    expect(domain("import { events } from '@vds/proto/events';")).to.include('imports @vds/proto/events');
    expect(domain("import { save } from '../outbound/rows.ts';")).to.include('../outbound/rows.ts');
    expect(domain("import { log } from '@vds/chassis/telemetry/log';")).to.include('@vds/chassis/telemetry/log');
    expect(domain("import { readFileSync } from 'node:fs';")).to.include('node:fs');
  });
});

describe('the rule of calls', () => {
  it('the rule of calls finds clients constructed and calls made where no deadline is set', () => {
    const found = breachesOf(connections, {
      'services/lens/src/outbound/a.ts':
        "import { Client } from 'minio';\nimport pg from 'pg';\nnew pg.Pool();\nawait fetch(address);\nimport http from 'node:http';",
      'deploy/tools/lens.ts': "import { Agent } from 'undici';",
    });
    expect(found.split('\n').map((line) => line.replace(/: a call needs.*/, ''))).to.have.members([
      'services/lens/src/outbound/a.ts:1 imports minio',
      'services/lens/src/outbound/a.ts:5 imports node:http',
      'services/lens/src/outbound/a.ts:3 uses pg.Pool',
      'services/lens/src/outbound/a.ts:4 calls the global fetch',
      'deploy/tools/lens.ts:1 imports undici',
    ]);
  });
  it('the rule of calls permits types, error classes, methods called fetch, tests, and the files that set deadlines', () => {
    const found = breachesOf(connections, {
      'services/lens/src/a.ts':
        "import type { Client } from 'minio';\nimport pg from 'pg';\nerror instanceof pg.DatabaseError;\nports.fetch(name);",
      'services/lens/test/a.test.ts': "import http from 'node:http';\nawait fetch(address);",
      'deploy/tools/test/a.test.ts': "import pg from 'pg';\nnew pg.Client();",
      'services/_chassis/src/objects/objects.ts': "import { Client } from 'minio';",
      'services/_chassis/src/database/database.ts': "import pg from 'pg';\nnew pg.Pool();",
    });
    expect(found).to.equal('');
  });
});

describe('the rule of events', () => {
  const found = (files: Readonly<Record<string, string>>, row = {}): string =>
    breachesOf(
      eventsRule({ seen: { subject: 'lens.image.seen.v1', owner: 'lens', consumers: { zoom: 'durable' }, ...row } }),
      {
        'services/lens/README.md': '',
        'services/zoom/README.md': '',
        'services/idle/README.md': '',
        ...files,
      },
    );
  const right = {
    'services/lens/src/a.ts': 'outgoing(events.seen, {}, "1");',
    'services/zoom/src/inbound/events.ts': 'on(events.seen, go);',
    'services/zoom/src/main.ts': 'bus.subscribe(handlers());',
  };
  it('the rule of events accepts an event that its owner publishes and its consumer consumes', () =>
    expect(found(right)).to.equal(''));
  it("the rule of events finds a subject that is not its owner's", () => {
    expect(found(right, { subject: 'zoom.image.seen.v1' })).to.include('does not begin with its owner lens');
  });
  it('the rule of events finds an owner that never publishes and a consumer that never consumes', () => {
    expect(found({}))
      .to.include('services/lens owns events.seen and never publishes it')
      .and.include('services/zoom is a declared consumer of events.seen and does not consume it in src/inbound/');
  });
  it('the rule of events finds a watch consumer that is declared durable, and the other way round', () => {
    expect(found({ ...right, 'services/zoom/src/main.ts': 'bus.watch(handlers());' }))
      .to.include('services/zoom is a declared durable consumer and never calls bus.subscribe')
      .and.include('services/zoom calls bus.watch and is no declared watch consumer');
  });
  it('the rule of events finds an undeclared consumer, one outside of inbound/, and an event that is not in the table', () => {
    expect(found({ ...right, 'services/idle/src/inbound/events.ts': 'on(events.seen, go);' })).to.include(
      'idle is neither',
    );
    expect(found({ ...right, 'services/lens/src/b.ts': 'events.lost;' })).to.include(
      'events.lost, which is not in the table',
    );
    const { 'services/zoom/src/inbound/events.ts': consumer, ...rest } = right;
    expect(found({ ...rest, 'services/zoom/src/outbound/a.ts': consumer })).to.include(
      'does not consume it in src/inbound/',
    );
  });
});

describe('the rule of retention', () => {
  const whole = {
    'services/lens/prisma/migrations/0001_init/migration.sql': `CREATE UNLOGGED TABLE "spots" (id text);
      -- CREATE TABLE notes (id text);
      CREATE TABLE old (id text); DROP TABLE old;`,
    'services/lens/src/outbound/retention.ts': "export const retention: Retention = {\n  spots: 'few',\n};",
    'services/lens/src/main.ts': 'startRetention({ retention })',
    'deploy/guide/retention.md': '| `lens.spots` | for ever | – |',
  };
  it('the rule of retention accepts a table that its service and the guide have', () =>
    expect(breachesOf(retention, whole)).to.equal(''));
  it('the rule of retention finds a table without a time or a reason, and one that the guide lacks', () => {
    const path = 'services/lens/prisma/migrations/0002_more/migration.sql';
    expect(breachesOf(retention, { ...whole, [path]: 'create table if not exists marks (id text);' })).to.equal(
      'services/lens/src/outbound/retention.ts does not say how long rows of marks are kept\n' +
        'deploy/guide/retention.md does not name `lens.marks`',
    );
  });
  it('the rule of retention finds a service that does not carry it out', () =>
    expect(breachesOf(retention, { ...whole, 'services/lens/src/main.ts': '' })).to.include('does not start'));
});

describe('the rule of fixed sleeps', () => {
  const found = (text: string): string =>
    breachesOf(fixedSleeps, {
      'services/lens/test/a.test.ts': `import { setTimeout as sleep } from 'node:timers/promises';\n${text}`,
    });
  it('the rule of fixed sleeps finds a literal, a constant, a computed time and a hand-written promise', () => {
    expect(found('await sleep(251);')).to.match(/^services\/lens\/test\/a\.test\.ts:2 sleeps/);
    expect(found('const HALF_MS = 200;\nawait sleep(2 * HALF_MS);')).to.include('a.test.ts:3');
    expect(found('await new Promise((resolve) => setTimeout(resolve, 1_000));')).to.include('a.test.ts:2');
  });
  it('the rule of fixed sleeps accepts a short sleep, a limit, work that hangs and a time that is passed in', () => {
    expect(found("await sleep(250);\nawait Promise.race([f(), sleep(9_000, 'hangs')]);")).to.equal('');
    expect(found('await sleep(60_000, undefined, { signal });\nawait sleep(ms);')).to.equal('');
    expect(found('setTimeout(() => child.kill(), 9_000);')).to.equal('');
  });
});

describe('the rule of test titles', () => {
  const found = (text: string): string => breachesOf(testTitles, { 'services/lens/test/a.test.ts': text });
  it('the rule of test titles finds a sentence without a subject, and accepts others', () => {
    expect(found("it('leaves nothing behind', f);\nit(`is ${what}`, f);")).to.include('a.test.ts:1').and.include(':2');
    expect(found("it('a lens leaves nothing behind', f);\nit(`${what} is sharp`, f);")).to.equal('');
  });
});

describe('the rule of constants', () => {
  it('the rule of constants finds numbers in another case and limits with another word', () => {
    const text =
      'export const longestMs = 5;\nconst MOST_BYTES = 2 ** 20;\nconst MAX_MS = 60 * 1_000;\nconst names = [1];';
    expect(breachesOf(constants, { 'a.ts': text })).to.equal(
      'a.ts:1 declares longestMs; write it in capitals\na.ts:2 declares MOST_BYTES; begin with MAX_ or MIN_',
    );
  });
});
