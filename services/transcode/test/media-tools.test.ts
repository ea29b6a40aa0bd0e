import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Sandbox } from '@vds/chassis/sandbox/sandbox';
import { testSandbox } from '@vds/testkit/harness/sandbox';
import { createLogger } from '@vds/chassis/telemetry/log';
import { byLine } from '@vds/chassis/sandbox/programs';
import { findTools, runTool } from '../src/outbound/media-tools.ts';
import { makeFolder, removeFolder } from './clips.ts';

describe('findTools and runTool', () => {
  let sandbox: Sandbox;
  let folder: string;
  before(async () => {
    sandbox = await testSandbox();
    folder = await makeFolder();
  });
  after(() => removeFolder(folder));
  const find = (ffmpegPath?: string) =>
    findTools({ sandbox, memoryBytes: 2 ** 32, log: createLogger('test', 'fatal') }, ffmpegPath);
  const signal = new AbortController().signal;

  it('the media tools are found and run sandboxed', async () => {
    const tools = await find();
    const lines: string[] = [];
    const onOutput = byLine((line) => lines.push(line));
    await runTool(tools, 'ffmpeg', ['-hide_banner', '-formats'], {
      scratch: folder,
      signal,
      timeoutMs: 20_000,
      onOutput,
    });
    expect(lines.some((line) => line.includes('matroska'))).to.equal(true);
  });

  it('a configured ffmpeg that does not run is never replaced by another one', async () => {
    const path = join(folder, 'no-program');
    await writeFile(path, '');
    const error: unknown = await find(path).catch((thrown: unknown) => thrown);
    expect(error).to.have.property('message').that.includes('FFMPEG_PATH').and.includes('does not run');
  });

  it('an ffmpeg that uses up its processor time makes the source too complex', async () => {
    const tools = await find();
    const endless = ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=s=640x360:r=60:d=36000', '-f', 'null', '-'];
    const run = runTool(tools, 'ffmpeg', endless, { scratch: folder, signal, timeoutMs: 60_000, cpuSeconds: 1 });
    const error = await run.catch((thrown: unknown) => thrown);
    expect(error).to.include({ code: 'INVALID_ARGUMENT', reason: 'source_too_complex' });
  });

  it('the error of a failed tool contains none of its output', async () => {
    const tools = await find();
    const run = runTool(tools, 'ffprobe', ['file:absent'], { scratch: folder, signal, timeoutMs: 20_000 });
    const error = await run.catch((thrown: unknown) => thrown as Error & { reason?: string });
    expect(error).to.include({ reason: 'tool_failed', message: 'ffprobe ended with 1' });
  });
});
