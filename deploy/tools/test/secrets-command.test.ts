import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { parseAllDocuments } from 'yaml';

const script = fileURLToPath(new URL('../secrets/main.ts', import.meta.url));

describe('npm run secrets', function () {
  this.timeout(30_000);
  const dir = mkdtempSync(join(tmpdir(), 'secrets-test-'));
  after(() => rmSync(dir, { recursive: true }));
  const secrets = (...args: string[]) => spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });

  it('npm run secrets writes manifests that only their owner can read, and prints the next steps without any value', () => {
    const file = join(dir, 'secrets.yaml');
    const { status, stdout, stderr } = secrets(
      '--release',
      'qa',
      '--devdeps',
      'deps',
      '--namespace',
      'video',
      '--out',
      file,
    );
    expect([status, stdout]).to.deep.equal([0, '']);
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    const manifests = parseAllDocuments(readFileSync(file, 'utf8')).map(
      (one) =>
        one.toJS() as {
          kind: string;
          metadata: { name: string; namespace: string };
          stringData: Record<string, string>;
        },
    );
    expect(manifests.map(({ metadata }) => metadata.name)).to.include.members([
      'qa-vds-auth',
      'qa-vds-vdsctl',
      'deps-admin',
    ]);
    for (const { kind, metadata, stringData } of manifests) {
      expect([kind, metadata.namespace]).to.deep.equal(['Secret', 'video']);
      for (const [key, value] of Object.entries(stringData))
        if (!/ACCESS|access/.test(key)) expect(stderr).not.to.include(value);
    }
    expect(stderr).to.include(`kubectl create --filename ${file}`).and.include('--set vdsFullname=qa-vds');
  });
  it('npm run secrets never overwrites a file', () => {
    const file = join(dir, 'in-use.yaml');
    writeFileSync(file, 'in use');
    const { status, stderr } = secrets('--release', 'vds', '--out', file);
    expect(status).to.equal(1);
    expect(stderr).to.include(`${file} exists already`);
    expect(readFileSync(file, 'utf8')).to.equal('in use');
  });
});
