/** What the organizations' warehouse has of the views that were reported, as a partner with read access sees it. */
import { join } from 'node:path';
import { vdsctl } from '@vds/vdsctl/inbound/vdsctl';
import type { HostTarget } from '../harness/host/host.ts';

/** A view, and how often the warehouse counts it. */
export type StoredView = { readonly view: string; readonly events: number; readonly plays: number };

const sql = `SELECT view_id AS view, count(*) AS events, (SELECT count(*) FROM plays p WHERE p.view_id = e.view_id) AS plays
  FROM events e GROUP BY view_id`;

/** The views of these organizations. @throws while they cannot be read */
export async function storedViews({ stack }: HostTarget, organizations: readonly string[]): Promise<StoredView[]> {
  const env = join(stack.dir, 'vdsctl.env');
  const found: StoredView[] = [];
  for (const organization of organizations) {
    let text = '';
    const write = (part: string): void => void (text += part);
    const argv = ['analytics', 'query', sql, '--organization', organization, '--env', env, '--json'];
    if ((await vdsctl(argv, { environment: {}, out: write, err: write })) !== 0) throw new Error(text);
    const { rows } = JSON.parse(text) as { rows: Record<keyof StoredView, unknown>[] };
    found.push(
      ...rows.map(({ view, events, plays }) => ({ view: String(view), events: Number(events), plays: Number(plays) })),
    );
  }
  return found;
}

/** A report of a view's first second, in CMCD's event mode (CTA-5004-A). */
export async function reportView(address: URL, view: string): Promise<string> {
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: `com.vds-w=1000,e=t,sid="${view}",sn=1,sta=p,ts=${Date.now()},v=2`,
    signal: AbortSignal.timeout(30_000),
  });
  await response.arrayBuffer();
  return String(response.status);
}
