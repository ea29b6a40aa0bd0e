/** Generated lists in documents: what is written by hand between the markers, or left out, is found. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { rowOf, serviceNames } from '@vds/deploy-tools/services';
import { withBlocks } from '@vds/proto/generated-blocks';
import { documents } from './documents.ts';
import { settingsOf } from './settings.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('generated lists', () => {
  it('a list between markers is replaced, in Markdown and in YAML with the indent of its markers', () => {
    const page = 'a\n<!-- generated: x -->\nold\n<!-- end of x -->\nb\n';
    expect(withBlocks(page, () => ['new'])).to.equal(page.replace('old', 'new'));
    const yaml = 'a:\n  # generated: x\n  # end of x\n';
    expect(withBlocks(yaml, () => ['- 1'])).to.equal('a:\n  # generated: x\n  - 1\n  # end of x\n');
  });

  it('a list without an end, with the end of another one, or of an unknown name is an error', () => {
    for (const page of [
      '<!-- generated: x -->\n',
      '<!-- generated: x -->\n<!-- end of y -->\n',
      '# generated: x\n<!-- end of x -->\n',
    ])
      expect(() => withBlocks(page, () => []), page).to.throw('has no end');
    expect(() => withBlocks('# generated: x\n# end of x\n', () => undefined)).to.throw("no list 'x'");
  });

  it('every list in the documents is what the tables of the code say', () => {
    const all = documents(root);
    expect(all.filter(({ committed, current }) => committed !== current).map(({ path }) => path)).to.deep.equal([]);
    expect(all.map(({ path }) => path)).to.include.members([
      'README.md',
      'charts/vds/README.md.gotmpl',
      'deploy/guide/install.md',
    ]);
  });

  it('every service has a line for each variable, its own and those of the chassis, with its default and what it is for', async () => {
    const lines = await settingsOf(root, 'playback');
    expect(lines).to.include(
      '- `COUNTRY_DATABASE` (none): File of a database of countries (mmdb), in place of the one inside, which has IPv4 alone.',
    );
    expect(lines).to.include("- `NATS_USER` (none): A user of the server's configuration.");
    expect(lines.filter((line) => /:\s*$/.test(line))).to.deep.equal([]);
    for (const name of serviceNames)
      expect(
        (await settingsOf(root, name)).some((line) => line.startsWith('- `HTTP_PORT` (`0`):')),
        name,
      ).to.equal(rowOf(name).ports.includes('http'));
  });

  it('a variable without a comment is an error that names it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vds-settings-'));
    try {
      mkdirSync(join(folder, 'services/lens/src'), { recursive: true });
      const config =
        "/** ConfigSpec */\nexport const config = {\n  /** Said. */\n  a: ['A', () => 1],\n  b: ['B', () => 2],\n};\n";
      writeFileSync(join(folder, 'services/lens/src/config.ts'), config);
      const error = await settingsOf(folder, 'lens').catch((cause: unknown) => cause);
      expect(String(error))
        .to.match(/comment.*\bB\b/)
        .and.not.match(/\bA\b/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
