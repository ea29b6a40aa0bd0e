/** Lines of CMCD (CTA-5004-A), a dictionary of structured fields (RFC 8941). */
import { decodeCmcd } from '@svta/cml-cmcd';
import type { DecodedCmcd } from '../domain/view-report.ts';

/** Undefined for a line that is none. */
export function readCmcd(line: string): DecodedCmcd | undefined {
  try {
    return decodeCmcd(line) as DecodedCmcd;
  } catch {
    return undefined;
  }
}
