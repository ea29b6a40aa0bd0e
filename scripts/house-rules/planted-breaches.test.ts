/** Each rule is shown a breach that it must find, beside a neighbour that it must leave alone. */
import { expect } from 'chai';
import { repositoryOf, type Rule } from './repository.ts';
import { chassisWords } from './rules/chassis-words.ts';
import { eventsRule } from './rules/events.ts';
import { declarations } from './rules/declarations.ts';
import { fieldWords } from './rules/field-words.ts';
import { environment, ownRoom, pureDomain } from './rules/imports.ts';
import { names } from './rules/names.ts';
import { rooms } from './rules/rooms.ts';
import { fileSizes, functionSizes } from './rules/sizes.ts';
import { topLevel } from './rules/top-level.ts';

/** What the rule says about the files, one breach a line. */
function said(rule: Rule, files: Readonly<Record<string, string>>): string {
  return rule.breaches(repositoryOf(files)).join('\n');
}
function lines(count: number): string {
  return 'x();\n'.repeat(count);
}

describe('the top-level rule', () => {
  it('finds a stranger and what is missing', () => {
    const found = said(topLevel, { 'notes/today.md': '', 'package.json': '' });
    expect(found).to.include('notes does not belong').and.include('README.md is missing');
    expect(found).not.to.include('package.json');
  });
});

describe('the rule of rooms', () => {
  const whole = {
    'services/lens/README.md': '',
    'services/lens/package.json': '',
    'services/lens/src/main.ts': '',
    'services/lens/src/config.ts': '',
    'services/lens/src/domain/focus.ts': '',
    'services/lens/src/inbound/rpc.ts': '',
    'services/lens/test/focus.test.ts': '',
  };
  it('accepts a whole service', () => expect(said(rooms, whole)).to.equal(''));
  it('finds a missing room', () => {
    const { 'services/lens/src/config.ts': _gone, ...rest } = whole;
    expect(said(rooms, rest)).to.equal('services/lens lacks src/config.ts');
  });
  it('finds a room that is not in the plan', () => {
    expect(said(rooms, { ...whole, 'services/lens/src/utils/a.ts': '' })).to.include('src/utils is not part');
    expect(said(rooms, { ...whole, 'services/_chassis/helpers/a.ts': '' })).to.include('_chassis/helpers is not part');
  });
  it('wants migrations beside a schema', () => {
    expect(said(rooms, { ...whole, 'services/lens/prisma/schema.prisma': '' })).to.include('lacks a migration');
  });
});

describe('the rules of sizes', () => {
  it('find a file of 351 lines and a main.ts of 81', () => {
    const found = said(fileSizes, {
      'proto/long.ts': lines(351),
      'proto/right.ts': lines(350),
      'services/lens/src/main.ts': lines(81),
      'services/zoom/src/main.ts': lines(80),
    });
    expect(found).to.equal(
      'proto/long.ts has 351 lines, more than 350\nservices/lens/src/main.ts has 81 lines, more than 80',
    );
  });
  it('find a function of 61 lines, and let only a describe and a boot be longer', () => {
    const body = (count: number): string => `() => {\n${lines(count - 2)}}`;
    const found = said(functionSizes, {
      'a/long.ts': `const f = ${body(61)};`,
      'a/right.ts': `const f = ${body(60)};`,
      'a/x.test.ts': `describe('x', ${body(90)});`,
      'services/lens/src/main.ts': `await run('lens', ${body(70)});`,
    });
    expect(found).to.equal('a/long.ts:1 has a function of 61 lines, more than 60');
  });
});

describe('the rule of declarations', () => {
  it('finds functions that are constants of a module, unless a type of their own says what they are', () => {
    const found = said(declarations, {
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

describe('the rule of the field’s words', () => {
  it('finds names that were given up, and only whole ones', () => {
    const found = said(fieldWords, {
      'services/lens/src/a.ts': 'giveBack();\nconst giveBackground = 1;',
      'scripts/a.ts': 'const giveBack = 1;',
    });
    expect(found).to.equal('services/lens/src/a.ts:1 says giveBack; the field says release');
  });
});

describe('the rule of names', () => {
  it('finds camelCase and snake_case, and knows what tools prescribe', () => {
    const found = said(names, {
      'scripts/myFile.ts': '',
      'scripts/my_folder/a.ts': '',
      'services/_chassis/src/object-store.test.ts': '',
      'proto/vds/x/v1/x_events.proto': '',
      'deploy/Dockerfile': '',
    });
    expect(found).to.equal('scripts/myFile.ts is not kebab-case\nscripts/my_folder/a.ts is not kebab-case');
  });
});

describe('the rule of the chassis', () => {
  it('finds a domain word in identifiers, strings, file names and SQL, and none in comments', () => {
    const found = said(chassisWords, {
      'services/_chassis/src/a.ts': "// a video may be said here\nconst videoKey = 1;\nconst t = 'the playlists';",
      'services/_chassis/src/rung-order.ts': '',
      'services/_chassis/migrations/1.sql': '-- a video\nCREATE TABLE hls (id text);',
      'services/lens/src/a.ts': 'const videoKey = 1;',
    });
    expect(found.split('\n')).to.have.lengthOf(4);
    expect(found).to.include("a.ts:2 says 'video'").and.include("a.ts:3 says 'playlists'");
    expect(found).to.include("1.sql:2 says 'hls'").and.include("rung-order.ts has 'rung' in its name");
  });
});

describe('the rules of imports', () => {
  it('find a service that imports another, by name and by path', () => {
    const found = said(ownRoom, {
      'services/lens/src/a.ts':
        "import '@vds/zoom/x';\nimport { y } from '../../zoom/src/y.ts';\nimport { z } from '@vds/chassis/telemetry/log';\nimport './b.ts';",
      'services/_chassis/src/a.ts': "export { x } from '../../lens/src/x.ts';",
    });
    expect(found.split('\n')).to.have.lengthOf(3);
    expect(found).to.include('a.ts:1 imports @vds/zoom/x').and.include('../../zoom').and.include('../../lens');
  });
  it('let only the tests of a service use the testkit and the deploy tools', () => {
    const uses = "import { makeClip } from '@vds/testkit/media/make-clip';";
    const found = said(ownRoom, {
      'services/lens/test/a.test.ts': `${uses}\nimport '@vds/deploy-tools/services';\nimport { openDoor } from '@vds/scripts/demo/door';`,
      'services/lens/src/a.ts': uses,
    });
    expect(found.split('\n')).to.have.lengthOf(2);
    expect(found).to.include('a.test.ts:3 imports').and.include('src/a.ts:1 imports');
  });
  it('find a domain that reaches for the world', () => {
    const allowed =
      "import { AppError } from '@vds/chassis/errors';\nimport type { V } from '@vds/proto/generated/v.ts';\nimport './b.ts';\n";
    const domain = (text: string): string => said(pureDomain, { 'services/lens/src/domain/a.ts': allowed + text });
    expect(domain('')).to.equal('');
    expect(domain("import pg from 'pg';")).to.include('imports pg');
    expect(domain("import { events } from '@vds/proto/events';")).to.include('imports @vds/proto/events');
    expect(domain("import { save } from '../outbound/rows.ts';")).to.include('../outbound/rows.ts');
    expect(domain("import { log } from '@vds/chassis/telemetry/log';")).to.include('@vds/chassis/telemetry/log');
    expect(domain("import { readFileSync } from 'node:fs';")).to.include('node:fs');
  });
  it('find the environment read outside of main.ts', () => {
    const reads = "const key = process.env['KEY'];";
    const found = said(environment, {
      'services/lens/src/main.ts': reads,
      'services/lens/src/config.ts': reads,
      'services/zoom/src/a.ts': "import { env } from 'node:process';",
    });
    expect(found.split('\n')).to.have.lengthOf(2);
    expect(found).to.include('services/lens/src/config.ts:1').and.include('services/zoom/src/a.ts:1');
  });
});

describe('the rule of events', () => {
  const verdict = (files: Readonly<Record<string, string>>, row = {}): string =>
    said(eventsRule({ seen: { subject: 'lens.image.seen.v1', owner: 'lens', hearers: { zoom: 'durable' }, ...row } }), {
      'services/lens/README.md': '',
      'services/zoom/README.md': '',
      'services/idle/README.md': '',
      ...files,
    });
  const right = {
    'services/lens/src/a.ts': 'outgoing(events.seen, {}, "1");',
    'services/zoom/src/inbound/events.ts': 'hear(events.seen, go);',
    'services/zoom/src/main.ts': 'bus.subscribe(ears());',
  };
  it('accepts an event that its owner says and its hearer hears', () => expect(verdict(right)).to.equal(''));
  it("finds a subject that is not its owner's", () => {
    expect(verdict(right, { subject: 'zoom.image.seen.v1' })).to.include('does not begin with its owner lens');
  });
  it('finds an owner who is silent and a hearer who is deaf', () => {
    expect(verdict({}))
      .to.include('services/lens owns events.seen and never says it')
      .and.include('services/zoom is a declared hearer of events.seen and does not hear it in src/inbound/');
  });
  it('finds a hearer who watches what he is declared to hear once, and the other way round', () => {
    expect(verdict({ ...right, 'services/zoom/src/main.ts': 'bus.watch(ears());' }))
      .to.include('services/zoom is a declared durable hearer and never calls bus.subscribe')
      .and.include('services/zoom calls bus.watch and is no declared watch hearer');
  });
  it('finds an eavesdropper, a door in the wrong place and an event that is not in the table', () => {
    expect(verdict({ ...right, 'services/idle/src/inbound/events.ts': 'hear(events.seen, go);' })).to.include(
      'idle is neither',
    );
    expect(verdict({ ...right, 'services/lens/src/b.ts': 'events.lost;' })).to.include(
      'events.lost, which is not in the table',
    );
    const { 'services/zoom/src/inbound/events.ts': door, ...rest } = right;
    expect(verdict({ ...rest, 'services/zoom/src/outbound/a.ts': door })).to.include(
      'does not hear it in src/inbound/',
    );
  });
});
