import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { install } from './install.ts';

describe('the installation of programs', () => {
  const tools = mkdtempSync(join(tmpdir(), 'vds-tools-'));
  const before = { PATH: process.env['PATH'], VDS_TOOLS: process.env['VDS_TOOLS'] };

  beforeEach(() => Object.assign(process.env, { PATH: join(tools, 'none'), VDS_TOOLS: tools }));
  afterEach(() => {
    for (const [name, value] of Object.entries(before))
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    rmSync(tools, { recursive: true, force: true });
  });
  const failure = (parts: Parameters<typeof install>[0]): Promise<string> =>
    install(parts).then(
      () => 'installed',
      (error: Error) => error.message,
    );

  it('on a machine without any registry client one line names the parts and the packages that are missing', async () => {
    expect(await failure(['ocr', 'opensearch'])).to.equal(
      'ocr, opensearch cannot be installed: Please install these programs and run again: ' +
        'tesseract-ocr openjdk-17-jdk-headless maven.',
    );
  });
});
