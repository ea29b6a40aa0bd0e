/** A timeline of a video's jobs: when each waited, was worked on, and what that time went to. */

/** A job; times are RFC 3339, of its latest try. */
export type TimedJob = {
  readonly stage: string;
  readonly name: string;
  /** Since when it may be claimed. */
  readonly readyAt: string;
  readonly startedAt?: string | undefined;
  readonly finishedAt?: string | undefined;
  readonly claimedBy?: string | undefined;
  /** Of a job that has ended; milliseconds since its claim. */
  readonly phases: readonly Phase[];
};
type Phase = { readonly name: string; readonly fromMs: number; readonly toMs: number; readonly ms: number };

/** Times in milliseconds since the first job could be claimed. */
export type TimelineRow = {
  readonly job: string;
  /** Empty: not claimed. */
  readonly process: string;
  readonly readyMs: number;
  readonly claimedMs?: number;
  /** Until now where it goes on. */
  readonly endMs: number;
  readonly phases: readonly Phase[];
};

/** A timeline is read by its columns: wider than other output, and of one width wherever it is printed. */
const LINE = 120;
const MAX_NAME = 24;
const PHASES = ['fetch', 'encode', 'upload'];
/** What is drawn for phases beside each other: which of fetch, encode and upload. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ '': '-', fetch: 'f', encode: 'e', upload: 'u' },
  ...{ 'fetch encode': 'F', 'encode upload': 'U', 'fetch upload': 'x', 'fetch encode upload': 'X' },
};
const LEGEND = `· waits  f fetches  e encodes  u uploads  - other work
beside encode: F fetches  U uploads  X both; x fetches and uploads; phases that mostly pause: only where alone`;

/** One row a job, by the time of its claim, then by when it was ready. */
export function timelineOf(jobs: readonly TimedJob[], now: Date): readonly TimelineRow[] {
  const origin = Math.min(...jobs.map(({ readyAt }) => Date.parse(readyAt)));
  return jobs
    .map((job): TimelineRow => {
      const readyMs = Date.parse(job.readyAt) - origin;
      const started = Date.parse(job.startedAt ?? '') - origin;
      // Else it was claimed for an earlier try.
      const isClaimed = started >= readyMs;
      const endMs = Math.max(
        (Date.parse(job.finishedAt ?? '') || now.getTime()) - origin,
        isClaimed ? started : readyMs,
      );
      const process = isClaimed ? (job.claimedBy ?? '') : '';
      const claimed = isClaimed ? { claimedMs: started, phases: job.phases } : { phases: [] };
      return { job: `${job.stage}/${job.name}`, process, readyMs, endMs, ...claimed };
    })
    .toSorted((a, b) => (a.claimedMs ?? Infinity) - (b.claimedMs ?? Infinity) || a.readyMs - b.readyMs);
}

/** Seconds and a bar for each row, over one axis; the sentence `none` without rows. */
export function drawTimeline(rows: readonly TimelineRow[], none: string): string {
  if (rows.length === 0) return none;
  const processes = [...new Set(rows.map(({ process }) => process).filter((process) => process !== ''))];
  const nameWidth = Math.min(MAX_NAME, Math.max(...rows.map(({ job }) => job.length)));
  const cells = (name: string, process: string, figures: readonly string[]): string =>
    [shortened(name, nameWidth).padEnd(nameWidth), process.padStart(2), ...figures.map((one) => one.padStart(6))].join(
      ' ',
    );
  const heading = cells('JOB', 'BY', ['WAIT', ...PHASES.map((name) => name.toUpperCase()), 'WHOLE']);
  const width = LINE - heading.length - 2;
  const columnMs = (Math.max(1_000, ...rows.map(({ endMs }) => endMs)) + 1) / width;
  return [
    `${heading}  ${axis(columnMs / 1_000, width)}`,
    ...rows.map((row) => {
      const process = row.process === '' ? '–' : String(processes.indexOf(row.process) + 1);
      return `${cells(row.job, process, figuresOf(row))}  ${bar(row, columnMs)}`.trimEnd();
    }),
    '',
    ...processes.map((process, index) => `${index + 1} = ${process}`),
    LEGEND,
  ].join('\n');
}

function shortened(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`;
}

function figuresOf({ readyMs, claimedMs, endMs, phases }: TimelineRow): string[] {
  const seconds = (ms: number | undefined): string =>
    ms === undefined ? '–' : (ms / 1_000).toFixed(ms < 1_000_000 ? 1 : 0);
  return [
    seconds((claimedMs ?? endMs) - readyMs),
    ...PHASES.map((name) => seconds(phases.find((phase) => phase.name === name)?.ms)),
    seconds(claimedMs === undefined ? undefined : endMs - claimedMs),
  ];
}

/** One letter a column, for its middle; a job that is shorter than a column has the letter of its middle. */
function bar(row: TimelineRow, columnMs: number): string {
  const { readyMs, claimedMs, endMs } = row;
  const first = Math.floor(readyMs / columnMs);
  const length = Math.floor(endMs / columnMs) - first + 1;
  const letters = Array.from({ length }, (_, index) => letterAt(row, (first + index + 0.5) * columnMs));
  if (claimedMs !== undefined && /^[ ·]*$/.test(letters.join(''))) {
    const middle = (claimedMs + endMs) / 2;
    letters[Math.floor(middle / columnMs) - first] = letterAt(row, middle);
  }
  return ' '.repeat(first) + letters.join('');
}

function letterAt({ readyMs, claimedMs, endMs, phases }: TimelineRow, at: number): string {
  if (at < readyMs || at > endMs) return ' ';
  if (claimedMs === undefined || at < claimedMs) return '·';
  const isDuring = ({ fromMs, toMs }: Phase): boolean => at >= claimedMs + fromMs && at <= claimedMs + toMs;
  const now = phases.filter(isDuring);
  // A phase of a few short calls is not drawn as if it went on beside another.
  const lasting = now.filter(({ fromMs, toMs, ms }) => 2 * ms >= toMs - fromMs);
  const names = new Set((lasting.length > 0 ? lasting : now).map(({ name }) => name));
  return LETTERS[PHASES.filter((name) => names.has(name)).join(' ')] ?? '-';
}

/** Round numbers of seconds, each beginning above its column. */
function axis(columnSeconds: number, width: number): string {
  const least = 8 * columnSeconds;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= least) ?? 10);
  const decimals = Math.max(0, -Math.floor(Math.log10(step)));
  let line = '0 s';
  for (let tick = step; ; tick += step) {
    const longer = line.padEnd(Math.round(tick / columnSeconds)) + tick.toFixed(decimals);
    if (longer.length > width) return line;
    line = longer;
  }
}
