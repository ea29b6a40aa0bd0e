/** One stored event of a view: its columns, and how a report becomes one. No address, no token, no name of a viewer. */
import type { ViewReportedOut } from '@vds/proto/generated/vds/playback/v1/ViewReported.ts';
import type { Device } from './device.ts';

export type ColumnType = 'text' | 'time' | 'count' | 'flag';

/** THE columns, in the order of every file and table; deploy/guide/analytics.md explains each. */
export const columns = {
  event_id: 'text',
  view_id: 'text',
  source: 'text',
  organization_id: 'text',
  publisher_id: 'text',
  video_id: 'text',
  playback_id: 'text',
  viewer_id: 'text',
  occurred_at: 'time',
  received_at: 'time',
  event_type: 'text',
  player_state: 'text',
  position_ms: 'count',
  watched_ms: 'count',
  stalled_ms: 'count',
  stalls: 'count',
  startup_ms: 'count',
  seen: 'count',
  video_duration_ms: 'count',
  bitrate_kbps: 'count',
  throughput_kbps: 'count',
  buffer_ms: 'count',
  error_code: 'text',
  is_fatal: 'flag',
  country: 'text',
  device_type: 'text',
  device_os: 'text',
  browser: 'text',
  was_asked: 'flag',
} as const satisfies Readonly<Record<string, ColumnType>>;

/** Of what videos are called, beside the events; a deleted one has no title. */
export const videoColumns = {
  video_id: 'text',
  title: 'text',
  version: 'count',
} as const satisfies Readonly<Record<string, ColumnType>>;

export type Column = keyof typeof columns;
type ValueOf = { readonly text: string; readonly time: Date; readonly count: number; readonly flag: boolean };
/** Null: not known. */
export type EventRow = { readonly [C in Column]: ValueOf[(typeof columns)[C]] | null };

/** Whose video it is. */
export type Attribution = {
  readonly organizationId: string;
  readonly publisherId: string;
  /** Null before the video was inspected. */
  readonly durationMs: number | null;
};

/** What a video is called. */
export type VideoTitle = {
  readonly organizationId: string;
  readonly videoId: string;
  /** '' once the video is deleted. */
  readonly title: string;
  /** Of the video in catalog: a greater one wins. */
  readonly version: number;
};

/** Begins the ids of those whom no token names: a player says what it likes of its device, so they do not rank videos. */
export const DEVICE = 'device-';

/** @param viewerId hashed with the organization's key; null where the report names neither a viewer nor a device */
export function toRow(
  report: ViewReportedOut,
  { organizationId, publisherId, durationMs }: Attribution,
  viewerId: string | null,
  device: Device,
): EventRow {
  return {
    event_id: report.eventId,
    view_id: report.viewId,
    source: report.source,
    organization_id: organizationId,
    publisher_id: publisherId,
    video_id: report.videoId,
    playback_id: report.playbackId,
    viewer_id: viewerId,
    occurred_at: new Date(report.occurredAtMs),
    received_at: new Date(report.receivedAtMs),
    event_type: report.eventType,
    player_state: orNull(report.state),
    position_ms: report.positionMs ?? null,
    watched_ms: report.watchedMs ?? null,
    stalled_ms: report.stalledMs ?? null,
    stalls: report.stalls ?? null,
    startup_ms: report.startupMs ?? null,
    seen: report.seen ?? null,
    video_duration_ms: durationMs,
    bitrate_kbps: report.bitrateKbps ?? null,
    throughput_kbps: report.throughputKbps ?? null,
    buffer_ms: report.bufferMs ?? null,
    error_code: orNull(report.errorCode),
    is_fatal: report.fatal,
    country: orNull(report.country),
    device_type: orNull(device.type),
    device_os: orNull(device.os),
    browser: orNull(device.browser),
    was_asked: report.asked ?? null,
  };
}

function orNull(text: string): string | null {
  return text === '' ? null : text;
}
