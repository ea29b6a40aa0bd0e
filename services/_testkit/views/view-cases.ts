/**
 * What counts as a load, a play and a start: the lines that players report (CTA-5004-A, written by hand after what hls.js
 * sends with `@vds/player-analytics`, and after the standard for players without its keys), what playback makes of them,
 * and the figures of the warehouse.
 */
import type { ViewReportedOut } from '@vds/proto/generated/vds/playback/v1/ViewReported.ts';

export type ViewCase = {
  readonly name: string;
  /** Of the session. */
  readonly viewId: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly lines: readonly string[];
  /** What playback publishes, in this order. */
  readonly reports: readonly Partial<ViewReportedOut>[];
  readonly figures: Figures;
};
/** As the columns of `daily`. */
export type Figures = {
  readonly loads: number;
  readonly plays: number;
  readonly starts: number;
  readonly failed_starts: number;
  readonly exits_before_start: number;
  readonly failed_plays: number;
};

const CHROME = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36';
const nothing = { loads: 0, plays: 0, starts: 0, failed_starts: 0, exits_before_start: 0, failed_plays: 0 };
const load = { ...nothing, loads: 1 };
const start = { ...load, plays: 1, starts: 1 };

type Given = { readonly lines: readonly string[]; readonly userAgent?: string; readonly headers?: ViewCase['headers'] };

function viewCase(name: string, { lines, userAgent = CHROME, headers = {} }: Given, ...expected: Expected): ViewCase {
  const viewId = name.replaceAll(/\W+/g, '-');
  const [reports, figures] = expected;
  return {
    ...{ name, viewId, reports, figures, headers: { 'user-agent': userAgent, ...headers } },
    lines: lines.map((line, at) => `${line},sid="${viewId}",sn=${at + 1},v=2`),
  };
}
type Expected = [reports: readonly Partial<ViewReportedOut>[], figures: Figures];

const preloading = { state: 'preloading', asked: false };
const asked = { state: 'starting', asked: true };
const firstPicture = { state: 'playing', asked: true, startupMs: 400, watchedMs: 0 };

/** One view each; of the players of deploy/guide/players.md what their code and documentation make them send. */
export const viewCases: readonly ViewCase[] = [
  viewCase(
    'a page opened and never played',
    { lines: ['e=ps,sta=d,com.vds-ask=0,com.vds-w=0', 'e=t,sta=d,com.vds-ask=0', 'e=ce,cen=hide,sta=d,com.vds-ask=0'] },
    [preloading, preloading, { ...preloading, eventType: 'hide' }],
    load,
  ),
  viewCase(
    'a click',
    {
      lines: [
        'e=ps,sta=d,com.vds-ask=0',
        'e=ps,sta=s,com.vds-ask=1',
        'e=ps,sta=p,com.vds-ask=1,com.vds-su=400,com.vds-w=0',
        'e=t,sta=p,com.vds-ask=1,com.vds-su=400,com.vds-w=9000,com.vds-seen=3',
      ],
    },
    [preloading, asked, firstPicture, { asked: true, watchedMs: 9_000, seen: 3 }],
    start,
  ),
  viewCase(
    'autoplay',
    { lines: ['e=ps,sta=s,com.vds-ask=0', 'e=ps,sta=p,com.vds-ask=1,com.vds-su=400,com.vds-w=0'] },
    [{ state: 'starting', asked: false }, firstPicture],
    start,
  ),
  viewCase(
    'a blocked autoplay',
    { lines: ['e=ps,sta=s,com.vds-ask=0', 'e=t,sta=s,com.vds-ask=0', 'e=ce,cen=hide,sta=s,com.vds-ask=0'] },
    Array.from({ length: 3 }, () => ({ state: 'starting', asked: false })),
    load,
  ),
  viewCase(
    'a preload of a player of CMCD alone',
    { lines: ['e=ps,sta=d', 'e=t,sta=d'] },
    [preloading, preloading],
    load,
  ),
  viewCase(
    'a seek before the start',
    { lines: ['e=ps,sta=d', 'e=ps,sta=k', 'e=ps,sta=a'] },
    [preloading, { state: 'seeking', asked: false }, { state: 'paused', asked: false }],
    load,
  ),
  viewCase(
    'a manifest that fails',
    { lines: ['e=ps,sta=s,com.vds-ask=1', 'e=ce,cen=fail,com.vds-err="manifestLoadError",sta=s,com.vds-ask=1'] },
    [asked, { ...asked, fatal: true, eventType: 'error', errorCode: 'manifestLoadError' }],
    { ...load, plays: 1, failed_starts: 1, failed_plays: 1 },
  ),
  viewCase(
    'a manifest that fails before anybody asks',
    { lines: ['e=ps,sta=d,com.vds-ask=0', 'e=ce,cen=fail,com.vds-err="manifestLoadError",sta=d,com.vds-ask=0'] },
    [preloading, { ...preloading, fatal: true }],
    load,
  ),
  viewCase(
    'a segment that fails',
    {
      lines: [
        'e=ps,sta=p,com.vds-ask=1,com.vds-su=400,com.vds-w=0',
        'e=ce,cen=fail,com.vds-err="fragLoadError",sta=r,com.vds-ask=1,com.vds-su=400,com.vds-w=7000',
      ],
    },
    [firstPicture, { asked: true, fatal: true, errorCode: 'fragLoadError' }],
    { ...start, failed_plays: 1 },
  ),
  viewCase(
    'an exit before the start',
    { lines: ['e=ps,sta=s,com.vds-ask=1', 'e=ce,cen=hide,sta=s,com.vds-ask=1'] },
    [asked, { ...asked, eventType: 'hide' }],
    { ...load, plays: 1, exits_before_start: 1 },
  ),
  viewCase(
    'a replay',
    {
      lines: [
        'e=ps,sta=p,com.vds-ask=1,com.vds-su=400,com.vds-w=0',
        'e=ps,sta=e,com.vds-ask=1,com.vds-su=400,com.vds-w=60000',
        'e=ps,sta=p,com.vds-ask=1,com.vds-su=400,com.vds-w=60000',
        'e=ps,sta=e,com.vds-ask=1,com.vds-su=400,com.vds-w=120000',
      ],
    },
    [firstPicture, { state: 'ended' }, { state: 'playing' }, { asked: true, watchedMs: 120_000 }],
    start,
  ),
  viewCase(
    'a background tab',
    { lines: ['e=ps,sta=s,com.vds-ask=0', 'e=ce,cen=hide,sta=s,com.vds-ask=0'] },
    Array.from({ length: 2 }, () => ({ state: 'starting', asked: false })),
    load,
  ),
  viewCase(
    'a background tab of a player of CMCD alone',
    { lines: ['bg,e=ps,sta=s', 'bg,e=t,sta=s'] },
    Array.from({ length: 2 }, () => ({ state: 'starting', asked: false })),
    load,
  ),
  viewCase(
    'a start of a player of CMCD alone',
    { lines: ['e=ps,sta=s', 'e=ps,msd=900,sta=p', 'bsa=(2),bsda=(1500),e=t,pt=8000,sta=p'] },
    [asked, { asked: true, startupMs: 900 }, { asked: true, stalls: 2, stalledMs: 1_500, positionMs: 8_000 }],
    start,
  ),
  viewCase(
    'a failure of a player of CMCD alone',
    { lines: ['e=ps,sta=s', 'e=e,ec=("404"),sta=f'] },
    [asked, { asked: false, fatal: true, errorCode: '404' }],
    { ...load, plays: 1, failed_starts: 1, failed_plays: 1 },
  ),
  ...[
    ['AVPlayer', 'AppleCoreMedia/1.0.0.22A3354 (iPhone; U; CPU OS 18_0 like Mac OS X; en_us)'],
    ['Media3', 'Sports/1.0 (Linux; Android 14; Pixel 8) AndroidXMedia3/1.8.0'],
    ['Roku', 'Roku/DVP-12.5 (12.5.0.4178-88)'],
    ['Shaka with reportElement', CHROME],
  ].map(([player = '', userAgent = '']) =>
    viewCase(
      `${player}: a view with a pause, a stall and an exit`,
      {
        userAgent,
        lines: [
          'e=ps,sta=d,com.vds-ask=0,com.vds-w=0,com.vds-st=0,com.vds-sc=0,com.vds-seen=0',
          'e=ps,sta=s,com.vds-ask=1,com.vds-w=0,com.vds-st=0,com.vds-sc=0,com.vds-seen=0',
          'e=ps,sta=p,com.vds-ask=1,com.vds-w=0,com.vds-st=0,com.vds-sc=0,com.vds-seen=0,com.vds-su=400',
          'e=t,sta=p,com.vds-ask=1,com.vds-w=9000,com.vds-st=0,com.vds-sc=0,com.vds-seen=7,com.vds-su=400',
          'e=ps,sta=a,com.vds-ask=1,com.vds-w=12000,com.vds-st=0,com.vds-sc=0,com.vds-seen=7,com.vds-su=400',
          'e=ps,sta=r,com.vds-ask=1,com.vds-w=20000,com.vds-st=0,com.vds-sc=1,com.vds-seen=31,com.vds-su=400',
          'e=ce,cen=hide,sta=r,com.vds-ask=1,com.vds-w=20000,com.vds-st=1500,com.vds-sc=1,com.vds-seen=31,com.vds-su=400',
        ],
      },
      [
        { ...preloading, userAgent },
        asked,
        firstPicture,
        { eventType: 'time', watchedMs: 9_000 },
        { state: 'paused', asked: true },
        { state: 'rebuffering', stalls: 1 },
        { eventType: 'hide', watchedMs: 20_000, stalledMs: 1_500, stalls: 1, seen: 31, startupMs: 400 },
      ],
      start,
    ),
  ),
  viewCase(
    // Shaka 5 posts `application/cmcd`, with the keys that its target names.
    'Shaka in its own event mode',
    {
      headers: { 'content-type': 'application/cmcd' },
      lines: [
        'cid="pb",e=ps,sf=h,st=v,sta=s,ts=1795374277090',
        'cid="pb",e=ps,msd=640,sf=h,st=v,sta=p,ts=1795374277730',
        'bl=(12000),bsa=(1),cid="pb",e=t,pt=9000,sf=h,st=v,sta=p,ts=1795374286730',
      ],
    },
    [asked, { asked: true, startupMs: 640 }, { stalls: 1, positionMs: 9_000, bufferMs: 12_000 }],
    start,
  ),
  viewCase(
    'a bot',
    {
      lines: ['e=ps,sta=p,com.vds-ask=1,com.vds-su=400,com.vds-w=9000'],
      userAgent: `${CHROME} (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`,
    },
    [],
    nothing,
  ),
  viewCase(
    'a prerendered page',
    { lines: ['e=ps,sta=d,com.vds-ask=0'], headers: { 'sec-purpose': 'prefetch;prerender' } },
    [],
    nothing,
  ),
];
