/** Variables of a process, laid over each other. */
type Environment = Readonly<Record<string, string | undefined>>;

/** The last value of each variable counts; the times in `TIME_SCALE` add up, the last of each name counting. */
export function overlay(...environments: readonly (Environment | undefined)[]): Record<string, string> {
  const scales = environments.flatMap((one) => one?.['TIME_SCALE'] ?? []);
  const merged = Object.assign({}, ...environments) as Record<string, string>;
  return scales.length === 0 ? merged : { ...merged, TIME_SCALE: scales.join(',') };
}
