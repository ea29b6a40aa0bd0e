/** What a purge removes: the rows of a video, as metadata keeps no objects. */
import type { PurgeDefinition } from '@vds/chassis/stage/purge';
import { events } from '@vds/proto/events';

export const purge: PurgeDefinition = { event: events.metadataVideoPurged, tables: ['analyses', 'revisions'] };
