/**
 * What a person sees of the demo: one line a step. Running tasks are shown in place on a terminal; elsewhere in a plain
 * line after every long silence, each twice as long as the last, so that a full run stays a screenful.
 */

export type Screen = {
  /** Prints a line that stays. */
  readonly line: (text: string) => void;
  /** Prints text that a person or a program may copy, on the output for results. */
  readonly result: (text: string) => void;
  /** A detail: printed with `verbose`; otherwise the last one is shown next to the running task. */
  readonly detail: (text: string) => void;
  /** A line of the testkit's: `… what` and `✓ what` are details, anything else is a message that stays. */
  readonly progress: (text: string) => void;
  readonly task: <T>(what: string, work: (note: Note) => Promise<T>, done?: Done<T>) => Promise<T>;
};

/** Reports the progress of a task. */
export type Note = (text: string) => void;
/** The line that a finished task leaves, `what` by default; null leaves none. */
export type Done<T> = (result: T) => string | null;

export type ScreenOptions = {
  readonly verbose: boolean;
  readonly output: Pick<NodeJS.WriteStream, 'write'> & Partial<Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>>;
  readonly results?: Pick<NodeJS.WriteStream, 'write'>;
  /** Milliseconds of silence after which a run without a terminal prints its first progress line. */
  readonly silenceMs?: number;
};

type Running = { readonly what: string; readonly from: number; note: string };

const REDRAW_MS = 250;
const CLEAR = '\r\u001b[2K';

/** A screen on `output`. */
export function openScreen({ verbose, output, results = output, silenceMs = 15_000 }: ScreenOptions): Screen {
  const running = new Set<Running>();
  const stepAfter = followSteps();
  const inPlace = output.isTTY === true && !verbose;
  let latest = '';
  let silence = silenceMs;
  let shownAt = performance.now();
  let timer: NodeJS.Timeout | undefined;

  function line(text: string, to = output as Pick<NodeJS.WriteStream, 'write'>): void {
    shownAt = performance.now();
    if (inPlace) output.write(CLEAR);
    to.write(`${text}\n`);
    if (inPlace) draw();
  }
  function draw(): void {
    output.write(`${CLEAR}${statusLine([...running], latest, output.columns ?? 80)}`);
  }
  function tick(): void {
    if (inPlace) return draw();
    if (verbose || performance.now() - shownAt < silence) return;
    silence *= 2;
    line(statusLine([...running], latest, 100));
  }
  function end(task: Running): void {
    running.delete(task);
    if (running.size > 0) return;
    clearInterval(timer);
    timer = undefined;
    latest = '';
    if (inPlace) output.write(CLEAR);
  }
  function detail(text: string): void {
    if (verbose) line(text);
    else latest = text.replace(/^… /, '').replace(/: .*/s, '');
  }
  const progress = (text: string): void =>
    /^[…✓] /.test(text) ? detail(verbose ? text : stepAfter(text)) : line(text);

  async function task<T>(what: string, work: (note: Note) => Promise<T>, done: Done<T> = () => what): Promise<T> {
    const one: Running = { what, from: performance.now(), note: '' };
    if (verbose) line(`… ${what}`);
    running.add(one);
    timer ??= setInterval(tick, REDRAW_MS).unref();
    try {
      const result = await work((text) => {
        one.note = text;
        if (verbose) line(`${seconds(one.from).padStart(8)}  ${what}: ${text}`);
      });
      const text = done(result);
      end(one);
      if (text !== null || verbose) line(`✓ ${text ?? what} (${seconds(one.from)})`);
      return result;
    } finally {
      end(one);
    }
  }
  return { line: (text) => line(text), result: (text) => line(text, results), detail, progress, task };
}

/** Follows the test kit's steps by its lines: after `… what` that one is shown, after `✓ what (1.2 s)` one still running. */
function followSteps(): (text: string) => string {
  const running = new Set<string>();
  return (text) => {
    const what = text.slice(2).replace(/ \([\d.]+ s\)$/, '');
    if (text.startsWith('✓')) running.delete(what);
    // With a colon it is progress within a step.
    else if (!what.includes(': ')) running.add(what);
    const [oldest = ''] = running;
    return text.startsWith('✓') ? oldest : what;
  };
}

/** The running tasks, the last detail and the seconds of the oldest task, in at most `columns - 1` characters. */
function statusLine(running: readonly Running[], latest: string, columns: number): string {
  const [oldest] = running;
  if (oldest === undefined) return '';
  const tasks = running.map(({ what, note }) => (note === '' ? what : `${what}: ${note}`)).join(', ');
  const text = `… ${tasks}${latest === '' ? '' : ` · ${latest}`}`;
  const time = ` (${Math.round((performance.now() - oldest.from) / 1_000)} s)`;
  const room = columns - 1 - time.length;
  const characters = [...text.replaceAll(/[\p{Cc}]/gu, ' ')];
  return `${characters.length > room ? `${characters.slice(0, room - 1).join('')}…` : characters.join('')}${time}`;
}

function seconds(from: number): string {
  return `${((performance.now() - from) / 1_000).toFixed(1)} s`;
}
