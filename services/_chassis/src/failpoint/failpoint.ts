/**
 * Named points between two effects. A test makes the process end, hang or fail exactly there; without the variable
 * FAILPOINTS a point does nothing, and production refuses that variable.
 */
import type { Reader } from '../config/config.ts';
import { AppError } from '../errors.ts';
import { failpointNames, type FailpointName } from './names.ts';

/** `kill`: the process kills itself by SIGKILL. `hang`: the caller waits forever. `error`: the caller fails once. */
const actions = ['kill', 'hang', 'error'] as const;

type Armed = {
  readonly action: (typeof actions)[number];
  /** The pass at which it acts, from 1. */
  readonly nth: number;
  passes: number;
};
export type Failpoints = ReadonlyMap<FailpointName, Omit<Armed, 'passes'>>;

const armed = new Map<FailpointName, Armed>();

/** `name=action[:nth]` between commas, such as `ingest.part-stored=kill:2`; an absent variable arms none. */
export const failpointList: Reader<Failpoints> = (value, name) =>
  new Map(
    (value ?? '')
      .split(',')
      .filter((item) => item !== '')
      .map((item) => parseItem(item, name)),
  );

function parseItem(item: string, variable: string): [FailpointName, Omit<Armed, 'passes'>] {
  const [, name, action, nth = '1'] = /^([a-z.-]+)=([a-z]+)(?::([1-9]\d*))?$/.exec(item) ?? [];
  const known = failpointNames.find((one) => one === name);
  const does = actions.find((one) => one === action);
  if (known === undefined || does === undefined)
    throw new Error(`${variable} must hold name=${actions.join('|')}[:nth] between commas, got '${item}'`);
  return [known, { action: does, nth: Number(nth) }];
}

/**
 * Arms the points of this process; the earlier ones are disarmed.
 * @param isProduction no point may be armed
 * @throws AppError FAILED_PRECONDITION for points in production
 */
export function armFailpoints(points: Failpoints, isProduction: boolean): void {
  if (isProduction && points.size > 0)
    throw new AppError('FAILED_PRECONDITION', 'FAILPOINTS is set, which production refuses: remove the variable');
  armed.clear();
  for (const [name, point] of points) armed.set(name, { ...point, passes: 0 });
}

/**
 * Passes a point: does nothing unless it is armed and this is its turn.
 * @throws AppError UNAVAILABLE if it is armed to fail
 */
export async function failpoint(name: FailpointName): Promise<void> {
  const point = armed.get(name);
  if (point === undefined) return;
  point.passes += 1;
  if (point.passes !== point.nth) return;
  if (point.action === 'error') throw new AppError('UNAVAILABLE', `failpoint ${name}`);
  if (point.action === 'kill') process.kill(process.pid, 'SIGKILL');
  await new Promise(() => {}); // `hang`, and the moment until the kernel has ended the process
}
