import { expect } from 'chai';
import fc from 'fast-check';
import { deviceOf } from '../src/domain/device.ts';
import { fileKey, readKey } from '../src/domain/object-keys.ts';
import { MAX_FILE_BYTES, planMerges, type StoredFile } from '../src/domain/plan-merges.ts';
import { dialects, type DialectName } from '../src/domain/warehouse/dialects.ts';
import { viewNames, viewsFor } from '../src/domain/warehouse/views.ts';
import { createAgentParser } from '../src/outbound/parse-agent.ts';

const agents: readonly (readonly [name: string, agent: string, type: string, os: string])[] = [
  ['an LG television', 'Mozilla/5.0 (Web0S; Linux/SmartTV) AppleWebKit/537.36 Chrome/79.0 Safari/537.36', 'tv', ''],
  ['a Samsung television', 'Mozilla/5.0 (SMART-TV; LINUX; Tizen 6.0) AppleWebKit/537.36 Version/6.0 TV', 'tv', 'Tizen'],
  [
    'an iPhone',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1',
    'phone',
    'iOS',
  ],
  [
    'a laptop',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36',
    'desktop',
    'Windows',
  ],
];

describe('devices', () => {
  const parse = createAgentParser();
  for (const [name, agent, type, os] of agents)
    it(`${name} is recognized by its User-Agent`, () => {
      const device = parse(agent);
      expect(device.type).to.equal(type);
      if (os !== '') expect(device.os).to.equal(os);
    });
  it('a native player has its own name, and no agent tells nothing', () => {
    expect(parse('AppleCoreMedia/1.0.0.22A3354 (iPhone; U; CPU OS 18_0 like Mac OS X)').browser).to.equal('AVPlayer');
    expect(deviceOf('', {})).to.deep.equal({ type: '', os: '', browser: '' });
  });
});

describe('files of events', () => {
  const file = { organizationId: 'org_a', day: '2026-11-26' };
  it('keys are read back, and no other key is taken for one', () => {
    const key = fileKey(file, 'batch', 'b'.repeat(64));
    expect(readKey(key)).to.deep.equal({ ...file, isMerged: false });
    expect(readKey(fileKey(file, 'merged', 'a'.repeat(64)))).to.deep.equal({ ...file, isMerged: true });
    for (const other of ['x', `${key}/y`, key.replace('org_a', '../b'), key.replace('day=', 'tag=')])
      expect(readKey(other), other).to.equal(undefined);
  });

  const noon = new Date(Date.UTC(2026, 10, 26, 12));
  const files = (day: string, sizes: readonly number[], minutesAgo: number): StoredFile[] =>
    sizes.map((bytes, index) => ({
      key: fileKey({ organizationId: 'org_a', day }, 'batch', index.toString(16)),
      bytes,
      storedAt: new Date(noon.getTime() - minutesAgo * 60_000),
    }));

  it('batches of an open day are merged after an hour, and a day that is over becomes one file', () => {
    expect(planMerges(files('2026-11-26', [1, 2, 3], 59), noon)).to.deep.equal([]);
    expect(planMerges(files('2026-11-26', [1, 2, 3], 61), noon)[0]?.keys).to.have.length(3);
    expect(planMerges(files('2026-11-25', [1, 2], 1), noon)[0]?.keys).to.have.length(2);
    expect(planMerges(files('2026-11-25', [1], 999), noon)).to.deep.equal([]);
  });

  it('whatever their sizes, each file is merged at most once, into files of bounded size', () =>
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: MAX_FILE_BYTES }), { maxLength: 40 }), (sizes) => {
        const all = files('2026-11-25', sizes, 999);
        const merges = planMerges(all, noon);
        const merged = merges.flatMap(({ keys }) => keys);
        expect(new Set(merged).size).to.equal(merged.length);
        const size = new Map(all.map(({ key, bytes }) => [key, bytes]));
        for (const { keys } of merges) {
          expect(keys.length).to.be.greaterThan(1);
          expect(keys.reduce((sum, key) => sum + (size.get(key) ?? 0), 0)).to.be.at.most(MAX_FILE_BYTES);
        }
      }),
    ));
});

describe('the warehouse’s views', () => {
  for (const name of Object.keys(dialects) as DialectName[])
    it(`the views for ${name} have one statement for each, and nothing is left unfilled`, () => {
      const statements = viewsFor(name);
      expect(statements).to.have.length(viewNames.length);
      for (const [index, view] of viewNames.entries()) expect(statements[index]).to.include(` ${view} AS`);
      expect(statements.join('\n')).not.to.match(/undefined|\$\{/);
    });
});
