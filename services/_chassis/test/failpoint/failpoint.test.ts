import { spawn } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import fc from 'fast-check';
import { armFailpoints, failpoint, failpointList } from '@vds/chassis/failpoint/failpoint';
import { failpointNames } from '@vds/chassis/failpoint/names';
import { runs } from '@vds/testkit/counts';

const services = fileURLToPath(new URL('../../../', import.meta.url));

function read(value?: string) {
  return failpointList(value, 'FAILPOINTS');
}

function arm(value: string): void {
  armFailpoints(read(value), false);
}

describe('failpoints', () => {
  afterEach(() => arm(''));

  it('an unarmed failpoint does nothing', async () => {
    for (const name of failpointNames) await failpoint(name);
  });

  it('a failpoint acts at the named pass and at no other', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...failpointNames), fc.integer({ min: 1, max: 9 }), async (name, nth) => {
        arm(`${name}=error:${nth}`);
        const failed: number[] = [];
        for (let pass = 1; pass <= 12; pass++) await failpoint(name).catch(() => failed.push(pass));
        expect(failed).to.deep.equal([nth]);
      }),
      { numRuns: runs(50) },
    );
  });

  it('a failpoint that is armed to hang never returns', async () => {
    arm('work.job-claimed=hang');
    const first = await Promise.race([
      failpoint('work.job-claimed'),
      new Promise((resolve) => setTimeout(resolve, 50, 'waits')),
    ]);
    expect(first).to.equal('waits');
    await failpoint('work.job-claimed');
  });

  it('a failpoint that is armed to kill ends the process by SIGKILL before anything else happens', async () => {
    const script = `
      import { armFailpoints, failpoint, failpointList } from '@vds/chassis/failpoint/failpoint';
      armFailpoints(failpointList('work.job-claimed=kill:2', 'FAILPOINTS'), false);
      await failpoint('work.job-claimed');
      console.log('first pass');
      await failpoint('work.job-claimed');
      console.log('second pass');`;
    const cwd = fileURLToPath(new URL('../..', import.meta.url));
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { cwd });
    let printed = '';
    child.stdout.on('data', (data: Buffer) => (printed += String(data)));
    const signal = await new Promise((resolve) => child.once('close', (_code, by) => resolve(by)));
    expect([printed, signal]).to.deep.equal(['first pass\n', 'SIGKILL']);
  });

  it('a setting with an unknown name, action or count is rejected by the name of its variable', () => {
    for (const value of ['none.such=kill', 'work.job-claimed', 'work.job-claimed=die', 'work.job-claimed=kill:0'])
      expect(() => read(value), value).to.throw(`FAILPOINTS must hold name=kill|hang|error[:nth]`);
    expect([...read()], 'absent').to.deep.equal([]);
  });

  it('production refuses failpoints by the name of their variable', () => {
    expect(() => armFailpoints(read('work.job-claimed=kill'), true)).to.throw('FAILPOINTS is set');
    armFailpoints(read(''), true);
  });

  it('every listed failpoint is passed in exactly one place', () => {
    const files = globSync('*/src/**/*.ts', { cwd: services }).filter((file) => !file.includes('src/failpoint/'));
    const passed = files.flatMap((file) =>
      [...readFileSync(`${services}${file}`, 'utf8').matchAll(/\bfailpoint\('([^']+)'\)/g)].map(
        ([, name]) => name ?? '',
      ),
    );
    expect(passed.toSorted()).to.deep.equal([...failpointNames].toSorted());
  });
});
