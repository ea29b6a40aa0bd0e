/** The workflows: actionlint, and actions by commit, since a tag can be moved to other code. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { output, outcomeOf, type Outcome } from './charts/outcome.ts';
import { ToolMissing, type Tools } from './charts/tools.ts';

export async function checkWorkflows(root: string, tools: Tools): Promise<Outcome> {
  const files = globSync('.github/workflows/*.yaml', { cwd: root }).toSorted();
  const faults = files.flatMap((file) =>
    workflowFaults(readFileSync(join(root, file), 'utf8')).map((fault) => `${file}:${fault}`),
  );
  try {
    const { code, text } = await output(await tools.path('actionlint'), ['-no-color', ...files], { cwd: root });
    return outcomeOf(code === 0 ? faults : [...faults, text], 'own rule and actionlint');
  } catch (error) {
    if (!(error instanceof ToolMissing)) throw error;
    return outcomeOf(faults, `own rule; ${error.message}`);
  }
}

/** Actions of others that are named by anything but a commit with its version in a comment. */
export function workflowFaults(text: string): string[] {
  return text.split('\n').flatMap((line, index) => {
    const used = /\buses:\s*(.+)$/.exec(line)?.[1];
    if (used === undefined || /^[\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d/.test(used) || used.startsWith('./')) return [];
    return [`${index + 1}: ${used} is not a commit with its version behind it`];
  });
}
