/** The processes of this machine: whether one runs, and which descend from another. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** The process's start time as an opaque text; null if it does not run. A zombie does not run. */
export function born(pid: number): string | null {
  if (process.platform === 'linux') {
    const found = linuxProcess(pid);
    return found === null || found.state === 'Z' || found.state === 'X' ? null : found.born;
  }
  const ps = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' });
  const line = ps.stdout.trim();
  return ps.status !== 0 || line === '' || line.startsWith('Z') ? null : line.replace(/^\S+\s+/, '');
}

type LinuxProcess = { name: string; state: string; parent: number; born: string };

/** Fields of /proc/<pid>/stat: name, and after it state, parent, and as the twentieth the start time. */
function linuxProcess(pid: number): LinuxProcess | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    return { name, state: fields[0] ?? '', parent: Number(fields[1]), born: fields[19] ?? '' };
  } catch {
    return null; // the process has exited
  }
}

/** Pid of this process's nearest ancestor whose name matches; null if there is none, or no /proc. */
export function ancestorNamed(name: RegExp): number | null {
  if (process.platform !== 'linux') return null;
  for (let pid = process.ppid; pid > 1;) {
    const found = linuxProcess(pid);
    if (found === null) return null;
    if (name.test(found.name)) return pid;
    pid = found.parent;
  }
  return null;
}

/** Pids of the children of a process, and of their descendants, but for the trees of `except`. */
export function descendants(
  pid: number,
  except: ReadonlySet<number> = new Set(),
): { children: number[]; all: number[] } {
  const parents = parentsOfAll();
  const childrenOf = (parent: number): number[] =>
    parents.filter((one) => one.parent === parent && !except.has(one.pid)).map((one) => one.pid);
  const all = childrenOf(pid);
  // The list grows while it is walked.
  for (const one of all) all.push(...childrenOf(one));
  return { children: childrenOf(pid), all };
}

/** Pids of the processes that were started with this value of an environment variable; none without /proc. */
export function startedWith(variable: string, value: string): number[] {
  if (process.platform !== 'linux') return [];
  const wanted = `${variable}=${value}`;
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      try {
        return pid > 0 && readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(wanted);
      } catch {
        return false; // the process has exited, or belongs to another user
      }
    });
}

function parentsOfAll(): { pid: number; parent: number }[] {
  if (process.platform === 'linux')
    return readdirSync('/proc')
      .map(Number)
      .flatMap((pid) => {
        const found = pid > 0 ? linuxProcess(pid) : null;
        return found === null ? [] : [{ pid, parent: found.parent }];
      });
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .map(([pid = 0, parent = 0]) => ({ pid, parent }));
}
