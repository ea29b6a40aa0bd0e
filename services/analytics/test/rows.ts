/** Events of views for tests. */
import type { ViewReportedOut } from '@vds/proto/generated/vds/playback/v1/ViewReported.ts';
import { toRow, type Attribution, type EventRow, type VideoTitle } from '../src/domain/event-row.ts';

export const NOW = Date.UTC(2026, 10, 20, 12);

/** A report of a view with counters. */
export function report(more: Partial<ViewReportedOut> = {}): ViewReportedOut {
  return {
    ...{ eventId: 'view-1', viewId: 'view', playbackId: 'pb', videoId: 'v', viewer: '', deviceId: '', source: '' },
    ...{ receivedAtMs: NOW, occurredAtMs: NOW, eventType: 'time', state: 'playing', errorCode: '', fatal: false },
    ...{ country: 'DE', userAgent: '' },
    ...more,
  };
}

/** What a video of an organization is called. */
export function titled(videoId: string, more: Partial<VideoTitle> = {}): VideoTitle {
  return { organizationId: 'org_a', videoId, title: 'A match', version: 1, ...more };
}

export const ANY_DAY = { from: '', to: '' };

/** A stored event of an organization. */
export function row(more: Partial<ViewReportedOut> = {}, owner: Partial<Attribution> = {}): EventRow {
  const attribution = { organizationId: 'org_a', publisherId: 'pub_a', durationMs: 60_000, ...owner };
  const device = { type: 'phone', os: 'iOS', browser: 'Mobile Safari' };
  return toRow(report(more), attribution, more.viewer === undefined ? 'nobody' : more.viewer, device);
}
