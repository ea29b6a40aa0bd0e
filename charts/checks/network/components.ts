/** Whether the chart's values for each component match the product's tables for the service. */
import { isDeepStrictEqual } from 'node:util';
import { tables as ownTables, type Tables } from './reference.ts';
import { componentSettings, type Settings } from './settings.ts';

export function componentFaults(
  settings: Settings,
  { rows, eventServices, appsServices }: Tables = ownTables,
): string[] {
  const unknown = Object.keys(settings.components).filter((name) => !rows[name]);
  const faults = Object.entries(rows).flatMap(([name, row]) => {
    if (!settings.components[name]) return [`components lack ${name}`];
    const component = componentSettings(settings, name);
    const pairs: (readonly [string, unknown, unknown])[] = [
      ['ports', sorted(component.ports), sorted(row.ports)],
      ['peers', sorted(component.peers), sorted(row.peers)],
      ['servesApps', component.servesApps ?? false, appsServices.has(name)],
      ['database', component.database, row.database],
      ['events', component.events, eventServices.has(name)],
      ['buckets', sorted(component.buckets), sorted([...row.ownsBuckets, ...row.readsBuckets])],
      ['search', component.search, row.search ?? false],
    ];
    return pairs
      .filter(([, is, should]) => !isDeepStrictEqual(is, should))
      .map(([key, is, should]) => `${name}.${key} is ${JSON.stringify(is)}, the tables have ${JSON.stringify(should)}`);
  });
  return [...unknown.map((name) => `components.${name} is no service of the product`), ...faults];
}

function sorted(list: readonly string[] = []): string[] {
  return list.toSorted();
}
