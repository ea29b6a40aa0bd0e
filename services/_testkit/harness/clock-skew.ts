/**
 * Loaded into a service by `--import`: each SIGUSR2 makes the host's clock, as the process sees it, jump: first 36
 * hours ahead, then 36 hours back, then to the right time again.
 */
const HOURS = 3_600_000;
const leaps = [36 * HOURS, -36 * HOURS, 0];
const RealDate = Date;
let at = leaps.length - 1;

function now(): number {
  return RealDate.now() + (leaps[at] ?? 0);
}

process.on('SIGUSR2', () => {
  at = (at + 1) % leaps.length;
});

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given: unknown[], self) =>
    Reflect.construct(target, given.length === 0 ? [now()] : given, self) as object,
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
