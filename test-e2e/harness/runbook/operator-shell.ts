/** An operator's shell with the functions of the runbook. */
import { command } from '../cluster/command.ts';
import { sharedFunctions } from './pages.ts';

export type Names = Readonly<Record<string, string>>;
export type Shell = ReturnType<typeof openShell>;

/** Replaces `<pod>` and other placeholders with the release's values. @throws for an unknown placeholder */
export function filled(text: string, names: Names): string {
  return text.replaceAll(/<([a-z ]+)>/g, (_, name: string) => {
    const value = names[name];
    if (value === undefined) throw new Error(`nothing stands for <${name}> in: ${text}`);
    return value;
  });
}

/**
 * Opens the shell; a repeated command returns its earlier output.
 * @param names values of the README's variables
 * @param environment further variables that the operator has set
 */
export function openShell(names: Names, environment: Names) {
  const set = Object.entries(environment).map(([name, value]) => `export ${name}='${value}'`);
  const prelude = [sharedFunctions(names), ...set].join('\n');
  const outputs = new Map<string, Promise<string>>();
  /** Its complete output, including stderr. @throws if it, or a part of its pipe, fails */
  const run = (line: string): Promise<string> => {
    const capture = 'output=$(step 2>&1); code=$?; echo "$output"; [ $code -eq 0 ] || echo "$output" >&2; exit $code';
    const script = `${prelude}\nstep() {\n${line}\n}\n${capture}`;
    return command('bash', ['-o', 'pipefail', '-c', script]).catch((error: Error) => {
      throw new Error(`${line}\n${error.message.slice(error.message.indexOf(capture) + capture.length)}`, {
        cause: error,
      });
    });
  };
  return {
    run,
    runOnce: (line: string): Promise<string> => {
      const before = outputs.get(line) ?? run(line);
      outputs.set(line, before);
      return before;
    },
  };
}
