/** A new stage's additions to catalog, which schedules it, and to the two tables with which it is deployed. */
import type { Edit } from './insert.ts';

const row = `  {
    name: '{{name}}',
    owner: '{{name}}',
    needs: [{ stage: 'encode', reached: 'completed' }],
    blocksReady: false,
    weight: 0,
  },
`;

const request = `  {{name}}: events.{{name}}Requested,
`;

const handlers = `    ...forStage('{{name}}', stageEvents.{{name}}),
`;

const component = `  # -- What {{name}} does, in a few words.
  # @default -- see values.yaml
  {{name}}:
    database: true
    events: true
    buckets: [media]
`;

const tables = `| \`{{name}}.results\` | until their video or attempt is purged |
`;

const stages = 'services/catalog/src/domain/stages.ts';
const inbound = 'services/catalog/src/inbound/events.ts';
const services = 'deploy/tools/services.ts';

export const catalogEdits: readonly Edit[] = [
  {
    path: stages,
    below: 'export const stages: readonly Stage[] = [',
    before: '];\n',
    text: row,
    place: 'at the end of stages',
  },
  {
    path: 'services/catalog/src/outbound/publisher.ts',
    below: 'const requests: ',
    before: '};\n',
    text: request,
    place: 'at the end of requests',
  },
  {
    path: inbound,
    below: 'function stageHandlers(',
    before: '  ];\n',
    text: handlers,
    place: 'at the end of stageHandlers',
  },
  {
    path: inbound,
    below: 'function purgeHandlers(',
    before: '  ].map(',
    text: '    events.{{name}}VideoPurged,\n',
    place: 'in the list of purgeHandlers',
  },
];

export const deploymentEdits: readonly Edit[] = [
  {
    path: services,
    below: 'export type ServiceName =',
    before: ';',
    text: `\n  | '{{name}}'`,
    place: 'at the end of ServiceName',
  },
  {
    path: services,
    before: '} as const satisfies Record<ServiceName, ServiceRow>',
    text: `  {{name}}: { database: true, ownsBuckets: [], readsBuckets: ['media'], ports: [], peers: [] },\n`,
    place: 'at the end of services',
  },
  {
    path: 'deploy/guide/retention.md',
    below: '## Tables',
    before: '\n## ',
    text: tables,
    place: 'at the end of the tables',
  },
  {
    path: 'charts/vds/values.yaml',
    below: '\ncomponents:\n',
    text: component,
    place: 'at the end of components',
  },
];
