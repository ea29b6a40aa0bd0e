/** Statements of ours over one organization's events, and what they answer. */
import type { Days } from '../domain/object-keys.ts';

export type Rows = readonly Readonly<Record<string, unknown>>[];
export type Computation = {
  readonly organizationId: string;
  readonly statements: readonly string[];
  /** Of receipt of the events that they see. */
  readonly days: Days;
  readonly signal: AbortSignal;
};
