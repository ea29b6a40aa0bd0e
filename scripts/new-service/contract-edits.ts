/** A new stage's additions to the contracts: its messages and its rows in the event table. */
import type { Edit } from './insert.ts';

const messages = `syntax = "proto3";
package vds.{{name}}.v1;

// The stage has completed.
message {{Name}}Completed {
  string video_id = 1;
  int32 attempt = 2;
  // That of the request.
  int32 revision = 3;
}
`;

/** Path → text of new contracts. */
export const contractFiles: Readonly<Record<string, string>> = {
  'proto/vds/{{name}}/v1/{{name}}_events.proto': messages,
};

const request = `// Requests {{name}} of an encoded video.
message {{Name}}Requested {
  string video_id = 1;
  int32 attempt = 2;
  string publisher_id = 3;
  // Rises when the stage is requested once more within one attempt; 0 the first time.
  int32 revision = 4;
  int64 duration_ms = 5;
  // Key of ladder.json in the media bucket.
  string ladder_key = 6;
  bool has_audio = 7;
  // Key of the audio rendition's media playlist in the media bucket; empty without audio.
  string audio_playlist_key = 8;
}

`;

const rows = `
  {{name}}Started: started('{{name}}.{{name}}.started.v1'),
  {{name}}Completed: fact<{{Name}}Completed, {{Name}}CompletedOut>(
    '{{name}}.{{name}}.completed.v1',
    'vds.{{name}}.v1.{{Name}}Completed',
  ),
  {{name}}Failed: failed('{{name}}.{{name}}.failed.v1'),
  {{name}}VideoPurged: purged('{{name}}.video.purged.v1'),
`;

const stageRow = `  {{name}}: {
    requested: events.{{name}}Requested,
    started: events.{{name}}Started,
    completed: events.{{name}}Completed,
    failed: events.{{name}}Failed,
  },
`;

const requestRow = `  {{name}}Requested: request<{{Name}}Requested, {{Name}}RequestedOut>(
    'catalog.{{name}}.requested.v1',
    'vds.catalog.v1.{{Name}}Requested',
    '{{name}}',
  ),
`;

const table = 'proto/events.ts';
function imported(owner: string, message: string): string {
  return `import type { ${message}, ${message}Out } from './generated/vds/${owner}/v1/${message}.ts';\n`;
}

/** In the order of application. */
export const contractEdits: readonly Edit[] = [
  {
    path: 'proto/vds/catalog/v1/catalog_events.proto',
    before: '// Processing of this video is cancelled',
    text: request,
    place: 'before message VideoCancelled',
  },
  {
    path: table,
    before: 'import { event, ',
    text: imported('catalog', '{{Name}}Requested') + imported('{{name}}', '{{Name}}Completed'),
    place: 'among the imports',
  },
  { path: table, before: '  videoCancelled: event', text: requestRow, place: 'above videoCancelled' },
  {
    path: table,
    below: `'catalog.video.cancelled.v1'`,
    before: '}',
    text: `, {{name}}: 'watch'`,
    place: 'among the consumers of videoCancelled',
  },
  {
    path: table,
    below: `'catalog.purge.requested.v1'`,
    before: '}',
    text: `, {{name}}: 'durable'`,
    place: 'among the consumers of purgeRequested',
  },
  { path: table, below: 'export const events = {', before: '} as const;', text: rows, place: 'at the end of events' },
  {
    path: table,
    below: 'export const stageEvents = {',
    before: '} as const;',
    text: stageRow,
    place: 'at the end of stageEvents',
  },
];
