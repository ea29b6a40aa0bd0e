/** All dashboards, as files of charts/vds/dashboards. */
import { dependencies } from './dependencies.ts';
import { overview } from './overview.ts';
import { dashboardJson } from './panels.ts';
import { services } from './services.ts';
import { workers } from './workers.ts';

/** File name → text. */
export function dashboardFiles(): Map<string, string> {
  return new Map(
    [overview, services, workers, dependencies].map((dashboard) => [
      `${dashboard.uid.replace(/^vds-/, '')}.json`,
      `${JSON.stringify(dashboardJson(dashboard), null, 2)}\n`,
    ]),
  );
}
