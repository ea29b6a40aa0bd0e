/** This repository's own checks find injected violations; third-party tools are not tested here. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { repositoryOf } from './architecture/repository.ts';
import { dockerfileFaults } from './dockerfile.ts';
import { differences } from './generated.ts';
import { missingFromImages } from './image-files.ts';
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
  it('the check of openapi.yaml finds a dangling reference and an unused component', async () => {
    expect(await broken('    Deleted:', '    Deletde:'))
      .to.include("{id}/delete/responses/200/content/application~1json/schema: Can't resolve $ref")
      .and.include('#/components/schemas/Deletde: Component: "Deletde" is never used');
  });
  it('the check of openapi.yaml finds what Redocly recommends against, also where it would only warn', async () => {
    expect(await broken('      summary: Submit a video\n', '')).to.include('(operation-summary)');
    expect(await broken('/{id}/archive:', '/{id}/archive/:')).to.include('(no-path-trailing-slash)');
    expect(await broken('    description: Submit videos and manage them.\n', '')).to.include('(tag-description)');
  });
  it('the check of openapi.yaml finds an enum that differs from its table', async () => {
    expect(await broken('        - source_timeout\n', '')).to.include('a table is not current');
    expect(await broken('archived, deleted, failed]', 'archived, deleted, failed, lost]')).to.include(
      'status has lost',
    );
    expect(await broken('- daily_ingest_limit', '- weekly_limit')).to.include('code lacks daily_ingest_limit');
  });
  it('the check of openapi.yaml finds an unknown status, and an operation without a unique operationId or a scope', async () => {
    expect(await broken("'404': {", "'409': {")).to.include('answers 409');
    expect(await broken('operationId: getVideo', 'operationId: createVideo')).to.include(
      '{id}/get/createVideo: Every operation must have a unique `operationId`',
    );
    expect(await broken('operationId: getVideo', 'x-id: getVideo')).to.include('{id}/get/operationId');
    expect(await broken('apiKey: [videos:read]', 'apiKey: [videos:look]')).to.include(
      'GET /v1/videos/{id} names no scope',
    );
  });
  it('the check of openapi.yaml finds an invalid example, and a request or response without one', async () => {
    expect(await broken('progress: 12\n', 'progress: 101\n')).to.equal(
      '#/paths/~1v1~1videos~1{id}/get/responses/200/content/application~1json/examples/processing_inspected/value/progress: ' +
        'Example value must conform to the schema: `progress` property must be <= 100. (no-invalid-media-type-examples)',
    );
    expect(await broken('language_code: de\n', 'language_code: DE\n')).to.include(
      'examples/signed/value/language_code: Example value must conform',
    );
    expect(await broken('examples:\n                public:', 'x-examples:\n                public:')).to.include(
      'POST /v1/videos/{id}/republish 200 has no example',
    );
  });
  it('the check of openapi.yaml finds invalid YAML', async () => {
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
  it('the check of the Dockerfile finds a missing target and an image without a fixed tag', () => {
    expect(broken('AS migrate', 'AS migrations')).to.include('there is no target migrate');
    expect(broken('node:24-bookworm-slim', 'node:latest')).to.include('neither a stage above nor an ARG');
  });
  it('the check of the Dockerfile finds a secret, a download, a package without a digest and lists of apt-get', () => {
    expect(faults(`${right}ENV API_TOKEN=abc\n`)).to.include('no secret belongs');
    expect(faults(`${right}RUN curl https://example.com\n`)).to.include('no lockfile knows');
    expect(broken('--require-hashes', '')).to.include('pip installs what no digest pins');
    expect(broken('rm -rf /var/lib/apt/lists/*', 'true')).to.include('leaves its lists behind');
  });
  it('the check of the Dockerfile finds a language pair that development has and the image lacks', () => {
    expect(broken('apertium-oci-fra', '')).to.equal('media does not install apertium-oci-fra');
  });
  it('the check of the Dockerfile finds an image of media without its speech model', () => {
    expect(broken('COPY --from=speech-model /opt/speech-model /opt/speech-model', '')).to.equal(
      'media has no /opt/speech-model',
    );
  });
  it('the check of the Dockerfile finds paths that do not exist', () => {
    expect(dockerfileFaults(right, () => false).join('\n'))
      .to.include('there is no package.json to copy')
      .and.include('migrate starts deploy/tools/migrate/main.ts, which does not exist');
  });
});

describe('the check of the files of the images', () => {
  const files = {
    '.dockerignore': '# a comment\ntest-e2e/*\nservices/_testkit/*\nservices/vdsctl*\n!services/vdsctl\n',
    'services/lens/src/main.ts': "import { a } from './a.ts';\nimport type { T } from '@vds/testkit/kit';",
    'services/lens/src/a.ts': "import '@vds/chassis/telemetry/log';\nimport pg from 'pg';",
    'services/_chassis/src/telemetry/log.ts': '',
    'services/_chassis/src/process/async.ts': '',
    'services/_testkit/kit.ts': '',
    'services/vdsctl/src/main.ts': "import './verb.ts';",
    'services/vdsctl/src/verb.ts': '',
    'deploy/tools/migrate/main.ts': "import '@vds/chassis/async';",
    'deploy/tools/demo.ts': '',
  };
  it('the check of the files of the images accepts type imports and included files', () =>
    expect(missingFromImages(repositoryOf(files))).to.deep.equal([]));
  it('the check of the files of the images finds a transitive import that .dockerignore excludes', () => {
    const deep = { ...files, 'services/_chassis/src/telemetry/log.ts': "import '@vds/testkit/kit';" };
    expect(missingFromImages(repositoryOf(deep))).to.include(
      '.dockerignore leaves out services/_testkit/kit.ts, which a program of the images imports',
    );
  });
  it('the check of the files of the images finds an import that is in no list of the image', () => {
    const more = {
      ...files,
      'deploy/tools/migrate/main.ts': "import '@vds/chassis/telemetry/log';\nimport '../demo.ts';",
    };
    expect(missingFromImages(repositoryOf(more))).to.deep.equal([
      'scripts/images/contents.ts leaves services/_chassis/src/telemetry/log.ts out of migrate, which a program of it imports',
      'scripts/images/contents.ts leaves deploy/tools/demo.ts out of migrate, which a program of it imports',
    ]);
  });
  it('the check of the files of the images finds a package that its importer’s list does not name', () => {
    const more = {
      ...files,
      'deploy/tools/package.json': '{"dependencies": {"pg": "", "sharp": ""}}',
      'deploy/tools/migrate/main.ts':
        "import pg from 'pg';\nimport type { S } from 'sharp';\nimport s from 'sharp/lib';",
    };
    expect(missingFromImages(repositoryOf(more))).to.deep.equal([
      'scripts/images/contents.ts leaves the package sharp of deploy/tools out of migrate',
    ]);
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
