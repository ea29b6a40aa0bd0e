/** Lists of what components take: images, priorities, database connections. From the values. */
import { componentsOf, type Component } from './chart-values.ts';
import { listed, table } from './markdown.ts';

/** Beside those of pods: an administrator’s. */
const FOR_PEOPLE = 10;
const PRODUCTION = 'deploy/values/production.yaml';

/** @param root of the repository */
export function capacityLists(root: string): Readonly<Record<string, () => readonly string[]>> {
  return {
    'components of the image media': () => [
      `The image \`media\` is that of ${listed(componentsOf(root).flatMap(([name, { image }]) => (image === 'media' ? [name] : [])))}.`,
    ],
    'components that serve': () => [
      '- key: app.kubernetes.io/name',
      '  operator: In',
      `  values: [${listed(componentsOf(root).flatMap(([name, { priority }]) => (priority === 'serving' ? [name] : [])))}]`,
    ],
    'connections of production': () => [
      `The server must allow ${sumOf(connectionsOf(componentsOf(root, PRODUCTION)))} connections for the maxima of \`production.yaml\` ([sizing](sizing.md#database-connections)).`,
    ],
    connections: () => {
      const [usual, most] = [componentsOf(root), componentsOf(root, PRODUCTION)].map(connectionsOf);
      const cells = ({ pods, perPod }: Connections): string => `${pods} × ${perPod} = ${pods * perPod}`;
      return table(
        ['component', 'with the defaults', 'maxima of `production.yaml`'],
        [
          ...(usual ?? []).map((one, index) => [one.name, cells(one), cells(most?.[index] ?? one)]),
          ['migrations, one each', String(usual?.length), String(most?.length)],
          ['for people', String(FOR_PEOPLE), String(FOR_PEOPLE)],
          ['**sum**', `**${sumOf(usual ?? [])}**`, `**${sumOf(most ?? [])}**`],
        ],
      );
    },
  };
}

type Connections = { readonly name: string; readonly pods: number; readonly perPod: number };

/** Each pool opens one connection more than its size; a pod that starts before the old one stops counts, too. */
function connectionsOf(components: readonly [string, Component][]): Connections[] {
  return components.flatMap(([name, component]) => {
    if (!component.database) return [];
    const own = Object.entries(component.env ?? {}).filter(([key]) => /^DATABASE_.*POOL_SIZE$/.test(key));
    const pools = [component.databasePoolSize, ...own.map(([, size]) => Number(size))];
    return [{ name, pods: mostPods(component), perPod: pools.reduce((sum, size) => sum + size + 1, 0) }];
  });
}

function mostPods({ autoscaling, keda, replicas, priority }: Component): number {
  const scaler = [autoscaling, keda].find(({ enabled }) => enabled);
  const surge = priority === 'worker' && (scaler?.minReplicas ?? replicas) >= 2 ? 0 : 1;
  return (scaler?.maxReplicas ?? replicas) + surge;
}

function sumOf(all: readonly Connections[]): number {
  return all.reduce((sum, { pods, perPod }) => sum + pods * perPod + 1, FOR_PEOPLE);
}
