import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { parseAllDocuments } from 'yaml';
import { readNames } from '../provision/names.ts';
import { printed } from '../provision/print/print.ts';
import { readSecretFiles } from '../provision/secret-files.ts';
import { requiredKeys } from '../provision/steps.ts';

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
      'qa-vds-apps',
      'deps-admin',
    ]);
    for (const { kind, metadata, stringData } of manifests) {
      expect([kind, metadata.namespace]).to.deep.equal(['Secret', 'video']);
      for (const [key, value] of Object.entries(stringData))
        if (!/ACCESS|access/.test(key)) expect(stderr).not.to.include(value);
    }
    expect(stderr).to.include(`kubectl create --filename ${file}`).and.include('--set vdsFullname=qa-vds');
  });
  it('npm run secrets prints nothing beside manifests that go on to kubectl, as a pod has one log for both', () => {
    const { status, stdout, stderr } = secrets('--release', 'vds');
    expect([status, stderr]).to.deep.equal([0, '']);
    expect(stdout).to.include('kind: Secret');
  });
  it('npm run secrets writes the folder that provisioning reads, with the values of the manifests, readable only by its owner', () => {
    const [file, folder] = [join(dir, 'both.yaml'), join(dir, 'components')];
    const args = ['--release', 'vds', '--prefix', 'vod-eu', '--out', file, '--dir', folder];
    const { status, stderr } = secrets(...args);
    expect(status, stderr).to.equal(0);
    expect(stderr).to.include(`PREFIX=vod-eu SECRETS_DIR=${folder}`);
    for (const one of parseAllDocuments(readFileSync(file, 'utf8'))) {
      const { metadata, stringData } = one.toJS() as { metadata: { name: string }; stringData: Record<string, string> };
      for (const [key, value] of Object.entries(stringData)) {
        const path = join(folder, metadata.name.replace(/^vds-/, ''), key);
        expect(readFileSync(path, 'utf8'), path).to.equal(value);
        expect(statSync(path).mode & 0o777, path).to.equal(0o600);
      }
    }
    const required = requiredKeys({ databases: readNames({}).databases.keys(), s3: true });
    expect(readSecretFiles(folder, required).key('ingest', 'S3_ACCESS_KEY')).to.equal('vod-eu-ingest');
    for (const target of ['sql', 'nats'])
      expect(printed(target, { PREFIX: 'vod-eu', SECRETS_DIR: folder }), target).to.include('vod');
    const again = secrets('--release', 'vds', '--dir', folder);
    expect([again.status, again.stdout]).to.deep.equal([1, '']);
    expect(again.stderr).to.include(`${folder} exists already`);
  });
  it('npm run secrets rejects a prefix that no name may begin with, and one for the servers of vds-devdeps', () => {
    for (const args of [
      ['--prefix', 'Vod'],
      ['--prefix', 'vds'],
      ['--prefix', 'vod', '--devdeps', 'deps'],
      ['--cluster-domain', 'a b'],
    ]) {
      const { status, stdout, stderr } = secrets('--release', 'vds', ...args);
      expect([status, stdout]).to.deep.equal([1, '']);
      expect(stderr).to.match(/^--(prefix|cluster-domain) [^\n]+\n$/);
    }
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
