import { expect } from 'chai';
import fc from 'fast-check';
import { deviceOf } from '../src/domain/device.ts';
import { fileKey, readKey } from '../src/domain/object-keys.ts';
import { MAX_FILE_BYTES, planMerges, type StoredFile } from '../src/domain/plan-merges.ts';
import { dialects, type DialectName } from '../src/domain/warehouse/dialects.ts';
import { viewNames, viewsFor } from '../src/domain/warehouse/views.ts';
import { createAgentParser } from '../src/outbound/parse-agent.ts';

const agents: readonly (readonly [name: string, agent: string, type: string, os: string])[] = [
  [
    'an LG television',
    'Mozilla/5.0 (Web0S; Linux/SmartTV) AppleWebKit/537.36 Chrome/79.0 Safari/537.36',
    'tv',
    'webOS',
  ],
  ['a Samsung television', 'Mozilla/5.0 (SMART-TV; LINUX; Tizen 6.0) AppleWebKit/537.36 Version/6.0 TV', 'tv', 'Tizen'],
  [
    'a Sony television',
    'Mozilla/5.0 (Linux; Android 10; BRAVIA 4K VH2 Build/QTG3) AppleWebKit/537.36 Chrome/90.0 Safari/537.36',
    ...(['tv', 'Android TV'] as const),
  ],
  ['a Hisense television', 'Mozilla/5.0 (Linux) AppleWebKit/537.36 Chrome/84.0 Safari/537.36 VIDAA/6.0', 'tv', 'VIDAA'],
  ['a television with HbbTV', 'Mozilla/5.0 (Linux armv7l) HbbTV/1.5.1 (+DRM; Panasonic; VIERA 2020)', 'tv', ''],
  ['a Roku stick', 'Roku/DVP-12.5 (12.5.0.4178-88)', 'set_top_box', 'Roku OS'],
  [
    'a Fire TV stick',
    'Mozilla/5.0 (Linux; Android 9; AFTMM Build/PS7233) AppleWebKit/537.36 Chrome/70.0 Mobile Safari/537.36',
    ...(['set_top_box', 'Fire OS'] as const),
  ],
  ['an Apple TV', 'AppleCoreMedia/1.0.0.22J357 (Apple TV; U; CPU OS 18_0 like Mac OS X; en_us)', 'set_top_box', 'tvOS'],
  [
    'a Chromecast',
    'Mozilla/5.0 (X11; Linux armv7l) AppleWebKit/537.36 Chrome/90.0 Safari/537.36 CrKey/1.56.500000',
    ...(['set_top_box', 'Chromecast'] as const),
  ],
  [
    'a box of a cable company',
    'Mozilla/5.0 (Linux; x86_64 GNU/Linux) AppleWebKit/601.1 WPE Comcast STB',
    'set_top_box',
    '',
  ],
  [
    'a PlayStation',
    'Mozilla/5.0 (PlayStation; PlayStation 5/4.03) AppleWebKit/605.1.15 Version/13.0 Safari/605.1.15',
    ...(['console', 'PlayStation'] as const),
  ],
  [
    'an Xbox',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; Xbox; Xbox Series X) AppleWebKit/537.36 Chrome/120.0 Edge/44.18363',
    ...(['console', 'Xbox'] as const),
  ],
  ['a Nintendo Switch', 'Mozilla/5.0 (Nintendo Switch; WifiWebAuthApplet) AppleWebKit/606.4', 'console', 'Nintendo'],
  ['a Quest', 'Mozilla/5.0 (X11; Linux x86_64; Quest 3) AppleWebKit/537.36 OculusBrowser/33.0 VR Safari', 'xr', ''],
  ['a Tesla', 'Mozilla/5.0 (X11; GNU/Linux) AppleWebKit/537.36 Chrome/109.0 Safari/537.36 Tesla/2023.20', 'car', ''],
  [
    'an iPhone',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1',
    ...(['phone', 'iOS'] as const),
  ],
  ['AVPlayer on an iPad', 'AppleCoreMedia/1.0.0.22A3354 (iPad; U; CPU OS 18_0 like Mac OS X; en_us)', 'tablet', 'iOS'],
  [
    'an Android phone',
    'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/130.0.0.0 Mobile Safari/537.36',
    ...(['phone', 'Android'] as const),
  ],
  [
    'an Android tablet',
    'Mozilla/5.0 (Linux; Android 13; SM-X700) AppleWebKit/537.36 Chrome/130.0.0.0 Safari/537.36',
    ...(['tablet', 'Android'] as const),
  ],
  ['Media3 on a phone', 'Sports/1.0 (Linux; Android 14; Pixel 8) AndroidXMedia3/1.8.0', 'phone', 'Android'],
  [
    'a laptop',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36',
    ...(['desktop', 'Windows'] as const),
  ],
  ['a Mac', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15', 'desktop', ''],
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
