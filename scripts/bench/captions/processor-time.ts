/** Processor time of the engines' processes. */
import { readdir, readFile } from 'node:fs/promises';

/** USER_HZ, which is 100 on every Linux of today. */
export const TICKS_A_SECOND = 100;

/** Seconds of processor that the processes below this one have used; 0 where there is no /proc. */
export async function childSeconds(): Promise<number> {
  const ids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(ids.map((id) => readFile(`/proc/${id}/stat`, 'latin1').catch(() => '')));
  const children = new Map<number, { readonly id: number; readonly ticks: number }[]>();
  for (const stat of stats) {
    // After the name in parentheses: state, parent, …; 11 to 14 are the times of the process and of its ended children.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    const parent = Number(fields[1]);
    children.set(parent, [...(children.get(parent) ?? []), { id: Number.parseInt(stat, 10), ticks }]);
  }
  const below = (id: number): number =>
    (children.get(id) ?? []).reduce((sum, child) => sum + child.ticks + below(child.id), 0);
  return below(process.pid) / TICKS_A_SECOND;
}
