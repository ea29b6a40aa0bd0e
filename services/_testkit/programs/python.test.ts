import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pythonProgram, type PythonPackage } from './python.ts';

describe('a program of PyPI', () => {
  const wanted: PythonPackage = { folder: 'speech', name: 'two-words', version: '5.1.1' };
  let tools: string;
  let before: string | undefined;

  beforeEach(() => {
    before = process.env['VDS_TOOLS'];
    tools = mkdtempSync(join(tmpdir(), 'vds-tools-'));
    process.env['VDS_TOOLS'] = tools;
    mkdirSync(join(tools, 'speech/bin'), { recursive: true });
    writeFileSync(join(tools, 'speech/bin/python'), '#!/bin/sh\n', { mode: 0o755 });
  });
  afterEach(() => {
    if (before === undefined) delete process.env['VDS_TOOLS'];
    else process.env['VDS_TOOLS'] = before;
    rmSync(tools, { recursive: true });
  });
  const record = (version: string): void => {
    const folder = join(tools, `speech/lib/python3.11/site-packages/two_words-${version}.dist-info`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'RECORD'), '');
  };

  it('a program of PyPI is found where its package is completely installed', () => {
    record('5.1.1');
    expect(pythonProgram(wanted, 'python')).to.equal(join(tools, 'speech/bin/python'));
  });
  it('a program of PyPI is not found where its installation was interrupted', () =>
    expect(pythonProgram(wanted, 'python')).to.equal(null));
  it('a program of PyPI is not found in an environment of another version', () => {
    record('5.0.0');
    expect(pythonProgram(wanted, 'python')).to.equal(null);
  });
  it('a program of PyPI is found only in an environment that was made from the requirements as they are', () => {
    const requirements = join(tools, 'requirements.txt');
    writeFileSync(requirements, 'two-words==5.1.1');
    record('5.1.1');
    const pinned = { ...wanted, requirements };
    expect(pythonProgram(pinned, 'python'), 'interrupted').to.equal(null);
    const stamp = createHash('sha256').update('two-words==5.1.1').digest('hex');
    writeFileSync(join(tools, 'speech/requirements.sha256'), stamp);
    expect(pythonProgram(pinned, 'python')).to.equal(join(tools, 'speech/bin/python'));
    writeFileSync(requirements, 'two-words==5.1.2');
    expect(pythonProgram(pinned, 'python'), 'older').to.equal(null);
  });
  it('a program of PyPI is not found in an environment without it', () => {
    record('5.1.1');
    expect(pythonProgram(wanted, 'go')).to.equal(null);
  });
});
