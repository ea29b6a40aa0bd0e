/** What players report of their views: events of a player, and the arguments of requests for segments. */
import { randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import { LRUCache } from 'lru-cache';
import type { ViewReported } from '@vds/proto/generated/vds/playback/v1/ViewReported.ts';
import { AppError } from '@vds/chassis/errors';
import { isAutomated } from '../domain/automated.ts';
import type { Gate } from '../domain/gate.ts';
import type { Claims } from '../domain/token-claims.ts';
import { occurredAt, readReport, readSegmentRequest } from '../domain/view-report.ts';
import type { CountryOf } from '../outbound/country.ts';
import { readCmcd } from '../outbound/decode-cmcd.ts';
import type { ViewReports } from '../outbound/view-reports.ts';

type Deps = { readonly reports: ViewReports; readonly countryOf: CountryOf };
/** Whose view of what. */
export type Viewing = {
  readonly playbackId: string;
  readonly gate: Pick<Gate, 'videoId'>;
} & Pick<Claims, 'viewer' | 'issuedAtMs'>;
export type ViewCollector = ReturnType<typeof createViewCollector>;

const MAX_BODY = 16 * 1024;
const MAX_LINES = 100;
const MAX_USER_AGENT = 256;
/** Views whose segments are counted at a time; the one that was silent for longest goes first. */
const MAX_VIEWS = 20_000;
const REPORT_EVERY_MS = 10_000;

type Counted = { isAsked: boolean; watchedMs: number; stalls: number; number: number; reportedAt: number };

export function createViewCollector({ reports, countryOf }: Deps) {
  /** Two replicas count the segments of one view apart. */
  const source = randomBytes(6).toString('hex');
  const counted = new LRUCache<string, Counted>({ max: MAX_VIEWS });
  const common = (request: Request, { playbackId, gate, viewer }: Viewing) => ({
    ...{ playbackId, videoId: gate.videoId, viewer, receivedAtMs: Date.now() },
    country: countryOf(request),
    userAgent: (request.get('user-agent') ?? '').slice(0, MAX_USER_AGENT),
  });

  return {
    /** Answers 204, then reads the lines; a body that is too long is rejected. */
    collect: async (request: Request, response: Response, viewing: Viewing): Promise<void> => {
      const body = await readBody(request);
      response.status(204).set('cache-control', 'no-store').end();
      if (isByNobody(request)) return reports.automated();
      const shared = common(request, viewing);
      for (const line of body
        .split('\n')
        .filter((one) => one.trim() !== '')
        .slice(0, MAX_LINES)) {
        const report = readReport(readCmcd(line) ?? {});
        if (!report) {
          reports.rejected();
          continue;
        }
        const { number, occurredAtMs, ...fields } = report;
        const eventId = `${viewing.playbackId}-${report.viewId}-${number}`;
        const at = occurredAt(occurredAtMs, viewing.issuedAtMs, shared.receivedAtMs);
        reports.add({ ...shared, ...fields, eventId, occurredAtMs: at });
      }
    },

    /** Counts a request for a segment that carries CMCD of version 1, and reports its view now and then. */
    segment: (request: Request, viewing: Viewing): void => {
      const line = cmcdOf(request);
      const segment = line === undefined ? undefined : readSegmentRequest(readCmcd(line) ?? {});
      if (!segment) return;
      if (isByNobody(request)) return reports.automated();
      const { viewId, watchedMs: _watched, starved: _starved, isAhead: _ahead, starting, ...measured } = segment;
      const key = `${viewing.playbackId} ${viewId}`;
      const view = counted.get(key) ?? { isAsked: false, watchedMs: 0, stalls: 0, number: 0, reportedAt: -Infinity };
      count(view, segment);
      counted.set(key, view);
      if (performance.now() - view.reportedAt < REPORT_EVERY_MS) return;
      view.reportedAt = performance.now();
      view.number += 1;
      const shared = common(request, viewing);
      const report: ViewReported = {
        ...shared,
        ...{ viewId, source, eventType: 'segment', asked: view.isAsked, state: stateOf(view, starting) },
        occurredAtMs: shared.receivedAtMs,
        // What was fetched ahead is watched once it plays.
        ...{ watchedMs: view.isAsked ? view.watchedMs : 0, stalls: view.stalls },
        ...Object.fromEntries(Object.entries(measured).filter(([, value]) => value !== undefined)),
      };
      reports.add({ ...report, eventId: `${viewing.playbackId}-${viewId}-${source}-${view.number}` });
    },
  };
}

type Segment = NonNullable<ReturnType<typeof readSegmentRequest>>;

function count(view: Counted, { watchedMs, starved, starting, isAhead }: Segment): void {
  view.isAsked ||= !isAhead;
  view.watchedMs += watchedMs;
  if (starved && !starting) view.stalls += 1;
}

function stateOf({ isAsked }: Counted, starting: boolean): string {
  if (!isAsked) return 'preloading';
  return starting ? 'starting' : 'playing';
}

function isByNobody(request: Request): boolean {
  const userAgent = (request.get('user-agent') ?? '').slice(0, MAX_USER_AGENT);
  return isAutomated(userAgent, request.get('sec-purpose') ?? request.get('purpose') ?? '');
}

/** @throws AppError INVALID_ARGUMENT for a body of more than 16 KiB, or of no UTF-8 */
async function readBody(request: Request): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY)
      throw new AppError('INVALID_ARGUMENT', 'A report has at most 16 KiB.', { reason: 'report_too_large' });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The data of a request, in its query or its four headers; undefined without any. */
function cmcdOf(request: Request): string | undefined {
  if (request.url.includes('CMCD='))
    return new URLSearchParams(request.url.split('?')[1] ?? '').get('CMCD') ?? undefined;
  if (request.headers['cmcd-session'] === undefined) return undefined;
  return ['object', 'request', 'session', 'status'].flatMap((name) => request.headers[`cmcd-${name}`] ?? []).join(',');
}
