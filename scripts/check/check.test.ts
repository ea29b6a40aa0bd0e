/** This repository's own checks find injected violations; third-party tools are not tested here. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { dockerfileFaults } from './dockerfile.ts';
import { differences } from './generated.ts';
import { workflowFaults } from './workflows.ts';
import { openapiFaults } from './openapi.ts';
import { checkSpelling } from './spelling.ts';

describe('the check of spelling', function () {
  this.timeout(120_000);

  it('the check of spelling finds a misspelt word in a text, and none of the field’s terms', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vds-spelling-'));
    writeFileSync(join(folder, 'a.md'), 'A trak of the moov box.\n');
    expect(await checkSpelling(folder)).to.include({ state: 'ok' });
    const misspelt = 'recxeived'.replace('x', '').replace('ei', 'ie'); // not in this file, which is checked too
    writeFileSync(join(folder, 'a.md'), `It is ${misspelt}.\n`);
    const { state, detail } = await checkSpelling(folder);
    expect(state).to.equal('failed');
    expect(detail).to.include(misspelt);
    rmSync(folder, { recursive: true });
  });
});

function read(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
}
/** A replacement that must match, so that a test does not pass because the text has moved. */
function change(source: string, from: string, to: string): string {
  expect(source).to.include(from);
  return source.replaceAll(from, to);
}

describe('the check of openapi.yaml', function () {
  this.timeout(30_000);
  const right = read('proto/openapi.yaml');
  const broken = async (from: string, to: string): Promise<string> =>
    (await openapiFaults(change(right, from, to))).join('\n');

  it('the check of openapi.yaml accepts the committed contract', async () => {
    expect(await openapiFaults(right)).to.deep.equal([]);
  });
  it('the check of openapi.yaml finds what Redocly recommends against, also where it would only warn', async () => {
    expect(await broken('      summary: Submit a video\n', '')).to.include('(operation-summary)');
  });
  it('the check of openapi.yaml finds an enum that differs from its table', async () => {
    expect(await broken('        - source_timeout\n', '')).to.include('a table is not current');
    expect(await broken('archived, deleted, failed]', 'archived, deleted, failed, lost]')).to.include(
      'status has lost',
    );
    expect(await broken('- daily_ingest_limit', '- weekly_limit')).to.include('code lacks daily_ingest_limit');
  });
  it('the check of openapi.yaml finds an unknown status, and an operation without a scope', async () => {
    expect(await broken("'404': {", "'409': {")).to.include('answers 409');
    expect(await broken('apiKey: [videos:read]', 'apiKey: [videos:look]')).to.include(
      'GET /v1/videos/{id} names no scope',
    );
  });
  it('the check of openapi.yaml finds a request or response without an example, and invalid YAML', async () => {
    expect(await broken('examples:\n                public:', 'x-examples:\n                public:')).to.include(
      'POST /v1/videos/{id}/republish 200 has no example',
    );
    expect(await openapiFaults('a: b: c')).not.to.deep.equal([]);
  });
});

describe('the check of the Dockerfile', () => {
  const right = read('deploy/Dockerfile');
  const faults = (source: string): string => dockerfileFaults(source, () => true).join('\n');
  const broken = (from: string, to: string): string => faults(change(right, from, to));

  it('the check of the Dockerfile accepts the committed file', () => expect(faults(right)).to.equal(''));
  it('the check of the Dockerfile finds root and a missing label', () => {
    expect(broken('USER 10001:10001', 'USER node')).to.include('media does not end as a numbered user');
    expect(broken('org.opencontainers.image.revision', 'revision')).to.include('app lacks the label');
  });
  it('the check of the Dockerfile finds a missing target and an image without tag and digest', () => {
    expect(broken('AS migrate', 'AS migrations')).to.include('there is no target migrate');
    expect(faults(right.replace(/(NODE_IMAGE=.*)@sha256:.*/, '$1'))).to.include('neither a stage above nor an ARG');
    expect(broken(':24.21.0-trixie-slim@', '@')).to.include('neither a stage above nor an ARG');
  });
  it('the check of the Dockerfile finds a secret, a download and a package without a digest', () => {
    expect(faults(`${right}ENV API_TOKEN=abc\n`)).to.include('no secret belongs');
    expect(faults(`${right}RUN curl https://example.com\n`)).to.include('no lockfile knows');
    expect(broken('--require-hashes', '')).to.include('pip installs what no digest pins');
  });
  it('the check of the Dockerfile finds a language pair that development has and the image lacks', () => {
    expect(broken('apertium-oci-fra', '')).to.equal('media does not install apertium-oci-fra');
  });
  it('the check of the Dockerfile finds an image of media without its speech model', () => {
    expect(broken('COPY --from=models /opt/speech-model /opt/speech-model', '')).to.equal(
      'media has no /opt/speech-model',
    );
  });
  it('the check of the Dockerfile finds paths that do not exist', () => {
    expect(dockerfileFaults(right, () => false).join('\n'))
      .to.include('there is no package.json to copy')
      .and.include('migrate starts deploy/tools/migrate/main.ts, which does not exist');
  });
});

describe('the check of workflows', () => {
  it('the check of workflows finds an action that is named by a tag, and one whose version nobody can read', () => {
    const commit = '93cb6efe18208431cddfb8368fd83d5badbf9bfd';
    expect(workflowFaults(`- uses: actions/checkout@${commit} # v5.0.1\n- uses: ./own`)).to.deep.equal([]);
    expect(workflowFaults('steps:\n  - uses: actions/checkout@v5')[0]).to.include(
      '2: actions/checkout@v5 is not a commit',
    );
    expect(workflowFaults(`- uses: actions/checkout@${commit}`)).to.have.lengthOf(1);
  });
});

describe('the check of generated code', () => {
  it('the check of generated code distinguishes stale, missing and orphaned files', () => {
    const is = new Map([
      ['same.ts', '1'],
      ['stale.ts', '1'],
      ['orphan.ts', '1'],
    ]);
    const should = new Map([
      ['same.ts', '1'],
      ['stale.ts', '2'],
      ['new.ts', '1'],
    ]);
    expect(differences(is, should)).to.deep.equal([
      'proto/generated/new.ts is missing',
      'proto/generated/orphan.ts is generated from nothing',
      'proto/generated/stale.ts is not current',
    ]);
  });
});
