/** The dashboards as files: current, and valid by themselves. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

export const dashboardsFolder = 'charts/vds/dashboards';

type Target = { readonly expr?: string; readonly legendFormat?: string; readonly datasource?: { uid?: string } };
type Panel = {
  readonly id: number;
  readonly title: string;
  readonly type: string;
  readonly targets?: readonly Target[];
};
export type Dashboard = {
  readonly uid: string;
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly query?: string | { query: string } }[] };
};

/** Name → text of every dashboard. */
export function readDashboards(root: string): Map<string, string> {
  return new Map(
    globSync(`${dashboardsFolder}/*.json`, { cwd: root }).map((path) => [
      basename(path),
      readFileSync(join(root, path), 'utf8'),
    ]),
  );
}

/** Every expression with its legend and its place. */
export function expressionsOf(name: string, text: string): { at: string; expr: string; legend: string }[] {
  return (JSON.parse(text) as Dashboard).panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr = '', legendFormat = '' }) => ({ at: `${name}: ${title}`, expr, legend: legendFormat })),
  );
}

/** Files that differ from the programs' output; duplicate ids; hard-coded data sources. */
export function dashboardFaults(are: ReadonlyMap<string, string>, made: ReadonlyMap<string, string>): string[] {
  const stale = [...new Set([...are.keys(), ...made.keys()])].filter((name) => are.get(name) !== made.get(name));
  const uids = [...are.values()].map((text) => (JSON.parse(text) as Dashboard).uid);
  return [
    ...stale.map((name) => `${dashboardsFolder}/${name} is not current; run: npm run generate -- dashboards`),
    ...twice(uids).map((uid) => `two dashboards have the uid ${uid}`),
    ...[...are].flatMap(([name, text]) => ownFaults(name, text)),
  ];
}

function twice(values: readonly (string | number)[]): (string | number)[] {
  return values.filter((value, index) => values.indexOf(value) !== index);
}

function ownFaults(name: string, text: string): string[] {
  const { panels } = JSON.parse(text) as Dashboard;
  const datasources = [...text.matchAll(/"uid": "([^"]*)"/g)].map(([, uid = '']) => uid).slice(1);
  return [
    ...twice(panels.map(({ id }) => id)).map((id) => `${name}: two panels have the id ${id}`),
    ...[...new Set(datasources)]
      .filter((uid) => uid !== '${datasource}')
      .map((uid) => `${name}: names the data source ${uid}`),
    ...panels.flatMap(({ title, type, targets = [] }) =>
      type !== 'row' && targets.length === 0 ? [`${name}: ${title} has no query`] : [],
    ),
  ];
}
