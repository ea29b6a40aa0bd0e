import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { find } from '@vds/testkit/servers/command';
import { skipBecause } from '@vds/testkit/skip';
import { parse, parseDocument } from 'yaml';
import { annotationsOf } from '../images/annotations.ts';
import { asExample, releaseNotes, withImages } from './chart-of-release.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const image = {
  repository: 'registry.example.org/vds',
  tag: '1.0.0',
  digests: { app: digest('a'), media: digest('b'), migrate: digest('c') },
};

describe('the chart of a release', function () {
  this.timeout(120_000);

  it('the packaged chart needs no values to name every image by its digest, and says where it comes from', function () {
    const helm = find('helm');
    if (helm === null) skipBecause(this, 'Helm is not on PATH nor among the tools');
    const folder = mkdtempSync(join(tmpdir(), 'release-'));
    try {
      const images = join(folder, 'images.yaml');
      writeFileSync(images, JSON.stringify({ image }));
      const source = 'https://git.example.org/video/vds';
      const program = join(root, 'scripts/chart.ts');
      execFileSync(process.execPath, [program, '--images', images, '--source', source, '--out', folder]);
      const chart = join(folder, 'vds-1.0.0.tgz');

      const required = parseDocument(readFileSync(join(root, 'charts/vds/ci/required-values.yaml'), 'utf8'));
      required.delete('image');
      writeFileSync(join(folder, 'values.yaml'), required.toString());
      const rendered = execFileSync(helm, ['template', 'vds', chart, '--values', join(folder, 'values.yaml')], {
        encoding: 'utf8',
        maxBuffer: 64 * 1024 * 1024,
      });
      const named = new Set([...rendered.matchAll(/image: "?([^\s"]+)/g)].map((match) => match[1]));
      expect([...named].filter((name) => name?.startsWith(image.repository))).to.have.members([
        `registry.example.org/vds/app@${digest('a')}`,
        `registry.example.org/vds/media@${digest('b')}`,
        `registry.example.org/vds/migrate@${digest('c')}`,
      ]);

      const shown = parse(execFileSync(helm, ['show', 'chart', chart], { encoding: 'utf8' })) as Shown;
      expect(shown.home).to.equal(source);
      expect(shown.sources).to.deep.equal([source]);
      expect(parse(shown.annotations['artifacthub.io/images'] ?? '')).to.deep.include({
        name: 'media',
        image: `registry.example.org/vds/media:1.0.0@${digest('b')}`,
      });
      expect(parse(shown.annotations['artifacthub.io/changes'] ?? '')).to.be.an('array').that.is.not.empty;
      // As the page on releases reads them.
      const values = execFileSync(helm, ['show', 'values', chart], { encoding: 'utf8' });
      expect(values).to.match(/^    media: sha256:b{64}$/m);
      const packed = execFileSync('tar', ['tzf', chart], { encoding: 'utf8' });
      for (const name of ['LICENSE', 'NOTICE', 'examples/production.yaml']) expect(packed).to.include(`vds/${name}\n`);

      // Whoever has no checkout tries the release with the servers beside it.
      const servers = execFileSync(helm, ['template', 'deps', join(folder, 'vds-devdeps-1.0.0.tgz')], {
        encoding: 'utf8',
      });
      expect(servers).to.include(`image: registry.example.org/vds/migrate:1.0.0@${digest('c')}\n`);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('the values files of a release leave its images as they are, and say otherwise what those of the repository say', () => {
    const files = globSync(join(root, 'deploy/values/{,devdeps/}*.yaml')).filter(
      (file) => !file.includes('local-images'),
    );
    expect(files).to.have.lengthOf.at.least(6);
    for (const file of files) {
      const text = readFileSync(file, 'utf8');
      const expected = parseDocument(text);
      for (const path of ['image.repository', 'image.tag', 'provision.image'].map((name) => name.split('.')))
        if (expected.hasIn(path)) expected.deleteIn(path);
      const full = Object.entries(expected.toJS() as object).filter(([, value]) => JSON.stringify(value) !== '{}');
      expect(parse(asExample(text)), file).to.deep.equal(Object.fromEntries(full));
    }
  });

  it('a chart is not made of images of which one could only be pulled by its tag', () => {
    const without = { ...image, digests: { app: digest('a'), migrate: digest('c') } };
    expect(() => withImages(parseDocument('image: {}'), without)).to.throw('no digest of media');
  });
});

type Shown = {
  readonly home: string;
  readonly sources: readonly string[];
  readonly annotations: Readonly<Record<string, string>>;
};

describe('the notes of a release', () => {
  it('the notes of a release are those of its version alone, a line each', () => {
    const changelog = '# C\n\n## 1.1.0\n\n- One\n  goes on.\n- Two.\n\nMore.\n\n## 1.0.0, unreleased\n\n- Old.\n';
    expect(releaseNotes(changelog, '1.1.0')).to.deep.equal(['One goes on.', 'Two.']);
    expect(releaseNotes(changelog, '1.0.0')).to.deep.equal(['Old.']);
    expect(() => releaseNotes(changelog, '2.0.0')).to.throw('no section for 2.0.0');
  });
});

describe('the annotations of an image', () => {
  const given = { VERSION: '1.0.0', REVISION: 'abc', CREATED: '2026-01-02T03:04:05Z' };
  it('an image is annotated with what it was made of, and media with the digest of its base', () => {
    expect(annotationsOf('app', { ...given, SOURCE: 'https://git.example.org/vds' }, root)).to.deep.equal({
      'org.opencontainers.image.title': 'Video Distribution Service: app',
      'org.opencontainers.image.licenses': 'Apache-2.0 AND GPL-2.0-or-later AND GPL-3.0-or-later AND LGPL-2.1-or-later',
      'org.opencontainers.image.version': '1.0.0',
      'org.opencontainers.image.revision': 'abc',
      'org.opencontainers.image.created': '2026-01-02T03:04:05Z',
      'org.opencontainers.image.source': 'https://git.example.org/vds',
    });
    const media = annotationsOf('media', given, root);
    expect(media['org.opencontainers.image.licenses']).to.include('GPL');
    expect(media['org.opencontainers.image.base.digest']).to.match(/^sha256:[0-9a-f]{64}$/);
  });
});

function digest(letter: string): string {
  return `sha256:${letter.repeat(64)}`;
}
