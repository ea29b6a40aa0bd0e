/** The platform of the services under test. */
const kinds = ['host', 'cluster', 'kind'] as const;
export type TargetKind = (typeof kinds)[number];

/** `VDS_TARGET`, or `host`. @throws for anything else */
export function targetKind(): TargetKind {
  const given = process.env['VDS_TARGET'] ?? 'host';
  const kind = kinds.find((one) => one === given);
  if (kind === undefined) throw new Error(`VDS_TARGET is '${given}'; it may be ${kinds.join(', ')}.`);
  return kind;
}
