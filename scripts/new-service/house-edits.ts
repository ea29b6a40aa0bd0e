/** What a new stage adds to who conducts it, and to the two tables by which it is started. */
import type { Edit } from './insert.ts';

const row = `  {
    name: '{{name}}',
    owner: '{{name}}',
    needs: [{ stage: 'encode', reached: 'completed' }],
    blocksReady: false,
    deadlineMs: (durationMs) => Math.max(1_800_000, 2 * (durationMs ?? 0)),
    weight: 0,
  },
`;

const asks = `  {{name}}: asking(events.{{name}}Requested, (video, made, revision) => ({
    ...of(video),
    ...sound(made),
    revision,
    durationMs: video.durationMs ?? 0,
    ladderKey: made.ladderKey ?? '',
  })),
`;

const handlers = `    handler('{{name}}', events.{{name}}Started, started),
    handler('{{name}}', events.{{name}}Completed, () => ({ type: 'completed', outputs: {} })),
    handler('{{name}}', events.{{name}}Failed, failed),
`;

const component = `  # -- What {{name}} does, in a few words.
  # @default -- see values.yaml
  {{name}}:
    database: true
    events: true
    buckets: [media]
`;

const stages = 'services/catalog/src/domain/stages.ts';
const inbound = 'services/catalog/src/inbound/events.ts';
const house = 'deploy/tools/services.ts';

export const conductorEdits: readonly Edit[] = [
  {
    path: stages,
    below: 'export const stages: readonly Stage[] = [',
    before: '];\n',
    text: row,
    place: 'at the end of stages',
  },
  {
    path: 'services/catalog/src/outbound/publisher.ts',
    below: 'const asks: ',
    before: '};\n',
    text: asks,
    place: 'at the end of asks',
  },
  {
    path: inbound,
    below: 'function attachedStageHandlers(',
    before: '  ];\n',
    text: handlers,
    place: 'at the end of attachedStageHandlers',
  },
  {
    path: inbound,
    below: 'function purgeHandlers(',
    before: '  ].map(',
    text: '    events.{{name}}VideoPurged,\n',
    place: 'in the list of purgeHandlers',
  },
];

export const houseEdits: readonly Edit[] = [
  {
    path: house,
    below: 'export type ServiceName =',
    before: ';',
    text: `\n  | '{{name}}'`,
    place: 'at the end of ServiceName',
  },
  {
    path: house,
    before: '} as const satisfies Record<ServiceName, ServiceRow>',
    text: `  {{name}}: { database: true, ownsBuckets: [], readsBuckets: ['media'], ports: [], peers: [] },\n`,
    place: 'at the end of services',
  },
  {
    path: 'charts/vds/values.yaml',
    below: '\ncomponents:\n',
    text: component,
    place: 'at the end of components',
  },
];
