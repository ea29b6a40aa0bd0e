/** The resolution of the checks' programs, with fake programs that only print their version. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ToolMissing, toolsOf } from './tools.ts';

describe('the programs of the checks', () => {
  const { PATH, VDS_TOOLS } = process.env;
  let folder: string;
  const program = (place: string, name: string, version: string): string => {
    const path = join(folder, place, name);
    mkdirSync(join(folder, place), { recursive: true });
    writeFileSync(path, `#!/bin/sh\necho ${version}\n`);
    chmodSync(path, 0o755);
    return path;
  };
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'vds-tools-test-'));
    process.env['PATH'] = join(folder, 'path');
    process.env['VDS_TOOLS'] = join(folder, 'tools');
  });
  afterEach(() => {
    process.env['PATH'] = PATH;
    if (VDS_TOOLS === undefined) delete process.env['VDS_TOOLS'];
    else process.env['VDS_TOOLS'] = VDS_TOOLS;
    rmSync(folder, { recursive: true, force: true });
  });

  it('the programs of the checks come from PATH first, then from the tools folder', async () => {
    const built = program('tools/bin', 'kube-score', '1');
    expect(await toolsOf(false).path('kube-score')).to.equal(built);
    const own = program('path', 'kube-score', '1');
    expect(await toolsOf(false).path('kube-score')).to.equal(own);
  });
  it('the checks use a Helm of the requested version, whatever its name on PATH', async () => {
    const three = program('path', 'helm', 'v3.22.0');
    const four = program('tools/bin', 'helm', 'v4.2.4');
    const tools = toolsOf(false);
    expect(await tools.path('helm')).to.equal(four);
    expect(await tools.path('helm3')).to.equal(three);
  });
  it('a program of the checks that only --tools builds is missing with a reason', async () => {
    const missing = await toolsOf(false)
      .path('kubectl-validate')
      .catch((error: unknown) => error);
    expect(missing).to.be.instanceOf(ToolMissing);
    expect(String(missing)).to.include('npm run check -- --tools');
  });
});
