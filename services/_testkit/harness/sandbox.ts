/** The sandbox of tests that run programs in their own process: that of services. */
import { chooseSandbox } from '@vds/chassis/sandbox/choose-sandbox';
import type { Sandbox } from '@vds/chassis/sandbox/sandbox';
import { confineProgram } from '../programs/confine.ts';

/** The setting that names the launcher, where it could be compiled. */
export function confineSetting(): { readonly CONFINE_PATH?: string } {
  const path = confineProgram();
  return path === null ? {} : { CONFINE_PATH: path };
}

export function testSandbox(): Promise<Sandbox> {
  const { CONFINE_PATH: confinePath } = confineSetting();
  return chooseSandbox({ confinePath });
}
