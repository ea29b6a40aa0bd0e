/** The results of a run of schemathesis, from its report (NDJSON, one event per line). */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { contractFaults } from '@vds/proto/testing/contract-check';

type Bytes = { readonly $base64: string };
type Interaction = {
  readonly request: { readonly method: string; readonly uri: string };
  readonly response: {
    readonly status_code: number;
    readonly headers: Readonly<Record<string, readonly string[]>>;
    readonly content: Bytes | null;
  } | null;
};
type Check = { readonly name: string; readonly status: string };
/** Empty fields are left out. */
type Recorder = {
  readonly cases?: Readonly<Record<string, unknown>>;
  readonly interactions?: Readonly<Record<string, Interaction>>;
  readonly checks?: Readonly<Record<string, readonly Check[]>>;
};
type Event = { readonly ScenarioFinished?: { readonly phase: string; readonly recorder: Recorder } };

export type Findings = {
  readonly cases: number;
  /** Cases by phase. */
  readonly phases: Readonly<Record<string, number>>;
  /** Responses by status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Names of the checks, with their counts. */
  readonly checks: Readonly<Record<string, number>>;
  /** One sentence for each failed check, without duplicates. */
  readonly failures: readonly string[];
  /** One for each response that the contract does not list, by our own validation. */
  readonly undocumented: readonly string[];
};

/** Reads the report of one run. */
export async function readReport(file: string): Promise<Findings> {
  const phases: Record<string, number> = {};
  const statuses: Record<string, number> = {};
  const checks: Record<string, number> = {};
  const failures = new Set<string>();
  const undocumented: string[] = [];
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const scenario = (JSON.parse(line) as Event).ScenarioFinished;
    if (scenario === undefined) continue;
    const { cases = {}, interactions = {}, checks: made = {} } = scenario.recorder;
    count(phases, scenario.phase, Object.keys(cases).length);
    for (const interaction of Object.values(interactions)) {
      count(statuses, String(interaction.response?.status_code ?? 'none'));
      undocumented.push(...faultsOf(interaction));
    }
    for (const [id, list] of Object.entries(made))
      for (const { name, status } of list) {
        count(checks, name);
        const { method = '', uri = '' } = interactions[id]?.request ?? {};
        if (status === 'failure')
          failures.add(`${name}: ${method} ${uri} → ${interactions[id]?.response?.status_code}`);
      }
  }
  const cases = Object.values(phases).reduce((sum, one) => sum + one, 0);
  return { cases, phases, statuses, checks, failures: [...failures], undocumented };
}

function count(counts: Record<string, number>, name: string, more = 1): void {
  return void (counts[name] = (counts[name] ?? 0) + more);
}

/** Violations in a response; responses to HEAD and OPTIONS have no body to check. */
function faultsOf({ request, response }: Interaction): string[] {
  if (response === null || ['HEAD', 'OPTIONS'].includes(request.method)) return [];
  const headers = new Headers(
    Object.entries(response.headers).flatMap(([name, values]) =>
      values.map((value): [string, string] => [name, value]),
    ),
  );
  const path = request.uri.replace(/^https?:\/\/[^/]+/, '');
  const seen = { status: response.status_code, headers, body: bodyOf(response.content) };
  return contractFaults(request.method, path, seen).map(
    (fault) => `${request.method} ${path.slice(0, 200)} → ${seen.status}: ${fault}`,
  );
}

function bodyOf(content: Bytes | null): unknown {
  const text = content === null ? '' : Buffer.from(content.$base64, 'base64').toString('utf8');
  return text === '' ? undefined : JSON.parse(text);
}
