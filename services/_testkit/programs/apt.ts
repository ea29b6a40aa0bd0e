/** Debian packages. */
import { spawnSync } from 'node:child_process';
import { find, isRoot, run } from '../servers/command.ts';
import { step } from '../servers/progress.ts';

/** One installation at a time: apt locks its database. */
let previous: Promise<unknown> = Promise.resolve();

/**
 * Installs Debian packages, as root or through sudo; refreshes the package lists once if the first attempt fails.
 * @param options of apt-get
 */
export async function aptInstall(packages: string[], options: string[] = []): Promise<void> {
  const own = previous.then(() => installNow(packages, options));
  previous = own.catch(() => undefined); // for its own caller
  await own;
}

async function installNow(packages: string[], options: string[]): Promise<void> {
  const names = packages.join(' ');
  if (find('apt-get') === null) throw new Error(`Please install these programs and run again: ${names}.`);
  if (!isRoot() && find('sudo') === null) {
    throw new Error(`Please have an administrator run \`apt-get install ${names}\`, then run again.`);
  }
  // sudo asks for the password before anything else is printed; until then nothing moves on the terminal.
  if (!isRoot() && process.stdin.isTTY) spawnSync('sudo', ['-v'], { stdio: 'inherit' });
  const prefix = isRoot() ? [] : process.stdin.isTTY ? ['sudo'] : ['sudo', '-n'];
  const apt = async (...args: string[]) => {
    const [command = 'apt-get', ...rest] = [
      ...prefix,
      'env',
      'DEBIAN_FRONTEND=noninteractive',
      'apt-get',
      ...options,
      ...args,
    ];
    await run(command, rest);
  };
  const install = async () => await apt('install', '-y', '--no-install-recommends', ...packages);
  await step(`apt-get install ${names}`, async () => {
    try {
      await install();
    } catch {
      // On a fresh machine the package lists are empty or old; a real failure recurs.
      await apt('update', '-q');
      await install();
    }
  });
}
