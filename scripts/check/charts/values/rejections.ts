/** Wrong values that a chart must reject, with an error of helm that mentions the wrong value. */
import { checkCases, type Case } from './cases.ts';

type Rejection = Case & {
  /** What the error must contain: the path of the value. */
  readonly mentions: string | readonly string[];
};

/** How many cases there are, and which of them the charts fail to reject properly. */
export async function checkRejections(root: string, helm: string): Promise<{ count: number; faults: string[] }> {
  return await checkCases<Rejection>(root, helm, 'rejected', (one, { code, text }) => rejectionFaults(one, code, text));
}

/** Judges helm's exit code and output. */
export function rejectionFaults({ mentions }: Pick<Rejection, 'mentions'>, code: number, text: string): string[] {
  if (code === 0) return ['is accepted'];
  if (/nil pointer|error calling (?!fail|include)/.test(text))
    return [`is rejected by an error of the template: ${text}`];
  const lacking = [mentions].flat().filter((expected) => !text.includes(expected));
  return lacking.length > 0 ? [`is rejected without mentioning ${lacking.join(' and ')}: ${text}`] : [];
}
