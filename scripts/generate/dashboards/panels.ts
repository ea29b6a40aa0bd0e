/** Panels in sections, with a common layout, numbering and style. */

/** Selects the chosen release; part of every expression. */
export const here = 'namespace="$namespace", release="$release"';

export type Query = { readonly expr: string; readonly legend: string };
type Unit = 's' | 'reqps' | 'ops' | 'percentunit' | 'short' | 'bytes' | 'Bps' | 'none';

export type Panel = {
  readonly type: 'timeseries' | 'stat' | 'bargauge';
  readonly title: string;
  readonly description?: string;
  readonly unit: Unit;
  readonly queries: readonly Query[];
  readonly stack?: true;
  /** Thresholds of orange and red. */
  readonly limits?: readonly [number, number];
  /** 1 to 24; by default 8, a third of the width. */
  readonly width?: number;
};

export type Section = { readonly title: string; readonly panels: readonly Panel[] };
export type Dashboard = {
  readonly uid: string;
  readonly title: string;
  readonly description: string;
  readonly sections: readonly Section[];
};

type More = Pick<Panel, 'description' | 'stack' | 'limits' | 'width'>;

const datasource = { type: 'prometheus', uid: '${datasource}' };

/** A graph over time. */
export function graph(title: string, unit: Unit, queries: readonly Query[], more: More = {}): Panel {
  return {
    type: 'timeseries',
    title,
    unit,
    queries,
    ...more,
  };
}

/** One number. */
export function figure(title: string, unit: Unit, expr: string, more: More = {}): Panel {
  return {
    type: 'stat',
    title,
    unit,
    queries: [{ expr, legend: title }],
    width: 4,
    ...more,
  };
}

/** The quantiles of a histogram, by the labels `by`. */
export function quantiles(metric: string, selector: string, by: readonly string[] = []): Query[] {
  return [0.5, 0.95, 0.99].map((quantile) => ({
    expr: `histogram_quantile(${quantile}, sum by (${['le', ...by].join(', ')}) (rate(${metric}_bucket{${selector}}[$__rate_interval])))`,
    legend: `p${100 * quantile} ${by.map((label) => `{{${label}}}`).join(' ')}`.trim(),
  }));
}

/** The rate of a counter, by the labels `by`. */
export function rate(metric: string, selector: string, by: readonly string[]): Query {
  return {
    expr: `sum by (${by.join(', ')}) (rate(${metric}{${selector}}[$__rate_interval]))`,
    legend: by.map((label) => `{{${label}}}`).join(' '),
  };
}

/** The dashboard as Grafana's JSON. */
export function dashboardJson({ uid, title, description, sections }: Dashboard) {
  return {
    uid,
    title,
    description,
    tags: ['vds'],
    schemaVersion: 41,
    version: 1,
    editable: false,
    graphTooltip: 1,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    timezone: 'utc',
    links: [{ type: 'dashboards', title: 'VDS', tags: ['vds'], asDropdown: true, keepTime: true, includeVars: true }],
    annotations: { list: [] },
    templating: {
      list: [
        { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus', hide: 0 },
        variable('namespace', 'Namespace', 'label_values(vds_build_info, namespace)'),
        variable('release', 'Release', 'label_values(vds_build_info{namespace="$namespace"}, release)'),
      ],
    },
    panels: arrange(sections),
  };
}

function variable(name: string, label: string, query: string) {
  return {
    name,
    label,
    type: 'query',
    datasource,
    query: { query, refId: name },
    definition: query,
    refresh: 2,
    sort: 1,
    hide: 0,
  };
}

/** Sections one below the other, panels from left to right. */
function arrange(sections: readonly Section[]): object[] {
  let id = 0;
  let y = 0;
  return sections.flatMap(({ title, panels }) => {
    const row = { id: (id += 1), type: 'row', title, collapsed: false, gridPos: { h: 1, w: 24, x: 0, y }, panels: [] };
    y += 1;
    let x = 0;
    let height = 0;
    const laid = panels.map((panel) => {
      const w = panel.width ?? 8;
      const h = panel.type === 'stat' ? 4 : 8;
      if (x + w > 24) {
        x = 0;
        y += height;
        height = 0;
      }
      const made = panelJson(panel, (id += 1), { h, w, x, y });
      x += w;
      height = Math.max(height, h);
      return made;
    });
    y += height;
    return [row, ...laid];
  });
}

function panelJson(panel: Panel, id: number, gridPos: object) {
  return {
    id,
    type: panel.type,
    title: panel.title,
    ...(panel.description && { description: panel.description }),
    datasource,
    gridPos,
    fieldConfig: {
      defaults: {
        unit: panel.unit,
        min: 0,
        thresholds: thresholdsOf(panel.limits),
        ...(panel.type === 'timeseries' && {
          custom: { fillOpacity: panel.stack ? 30 : 5, stacking: { mode: panel.stack ? 'normal' : 'none' } },
        }),
      },
      overrides: [],
    },
    options: optionsOf(panel.type),
    targets: panel.queries.map(({ expr, legend }, index) => ({
      refId: String.fromCodePoint(65 + index),
      datasource,
      expr,
      legendFormat: legend,
      ...(panel.type === 'timeseries' ? { range: true } : { instant: true }),
    })),
  };
}

function thresholdsOf(limits: Panel['limits']) {
  return {
    mode: 'absolute',
    steps: [
      { color: 'green', value: null },
      ...(limits ? limits.map((value, index) => ({ color: index === 0 ? 'orange' : 'red', value })) : []),
    ],
  };
}

function optionsOf(type: Panel['type']) {
  if (type === 'timeseries')
    return {
      legend: { displayMode: 'table', placement: 'bottom', calcs: ['lastNotNull', 'max'] },
      tooltip: { mode: 'multi', sort: 'desc' },
    };
  const reduceOptions = { calcs: ['lastNotNull'], fields: '', values: false };
  return type === 'stat'
    ? { reduceOptions, colorMode: 'value', graphMode: 'none', textMode: 'value' }
    : { reduceOptions, displayMode: 'basic', orientation: 'horizontal', showUnfilled: true };
}
