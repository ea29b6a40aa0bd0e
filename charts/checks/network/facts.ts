/** Whether the chart's values for each component match the product's tables for the service. */
import { isDeepStrictEqual } from 'node:util';
import { tables as ownTables, type Tables } from './reference.ts';
import { factsOf, type Settings } from './settings.ts';

export function factFaults(settings: Settings, { rows, eventServices }: Tables = ownTables): string[] {
  const unknown = Object.keys(settings.components).filter((name) => !rows[name]);
  const faults = Object.entries(rows).flatMap(([name, row]) => {
    if (!settings.components[name]) return [`components lack ${name}`];
    const facts = factsOf(settings, name);
    const pairs: (readonly [string, unknown, unknown])[] = [
      ['ports', sorted(facts.ports), sorted(row.ports)],
      ['peers', sorted(facts.peers), sorted(row.peers)],
      ['database', facts.database, row.database],
      ['events', facts.events, eventServices.has(name)],
      ['buckets', sorted(facts.buckets), sorted([...row.ownsBuckets, ...row.readsBuckets])],
      ['search', facts.search, row.search ?? false],
    ];
    return pairs
      .filter(([, is, should]) => !isDeepStrictEqual(is, should))
      .map(([key, is, should]) => `${name}.${key} is ${JSON.stringify(is)}, the tables say ${JSON.stringify(should)}`);
  });
  return [...unknown.map((name) => `components.${name} is no service of the product`), ...faults];
}

function sorted(list: readonly string[] = []): string[] {
  return list.toSorted();
}
