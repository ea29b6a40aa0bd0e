/** The pages of the runbook, as the commands and queries that they give an operator. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from '../cluster/command.ts';

const folder = join(root, 'deploy/runbooks');

export type Page = {
  /** `vds-outbox-stuck` */
  readonly name: string;
  /** Lines of the `sh` blocks and commands between backticks, in order, each once. */
  readonly commands: readonly string[];
  /** `promql` blocks and expressions between backticks. */
  readonly queries: readonly string[];
  /** For the database's administrators. */
  readonly statements: readonly string[];
};

export function readPages(): readonly Page[] {
  return globSync(join(folder, '*/vds-*.md')).toSorted().map(pageOf);
}

function pageOf(path: string): Page {
  const text = readFileSync(path, 'utf8');
  const lines = blocks(text, 'sh').flatMap((block) => block.split('\n'));
  return {
    name: basename(path, '.md'),
    commands: [...new Set([...lines, ...spans(text).filter(isCommand)])],
    queries: [...new Set([...blocks(text, 'promql'), ...spans(text).filter(isQuery)])],
    statements: spans(text).filter((span) => span.startsWith('SELECT ')),
  };
}

function blocks(text: string, language: string): string[] {
  return [...text.matchAll(new RegExp(String.raw`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))].map(([, code = '']) =>
    code.trim(),
  );
}

function spans(text: string): string[] {
  return [...text.replaceAll(/```.*?```/gs, '').matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

/** With at least one argument: a bare name is only mentioned by the text. */
function isCommand(span: string): boolean {
  return (
    /^(kubectl -n|kubectl (drain|get|top)|helm (history|rollback)|vdsctl \S+ .+|vdsctl languages|logs|ready|curl|nats) ?\S/.test(
      span,
    ) && span !== 'vdsctl video show'
  );
}

/** One of our own or Node's metrics, alone or inside functions; `vds_work_` is a prefix for many. */
function isQuery(span: string): boolean {
  return /^([a-z_]+ ?(\([a-z]+\) )?\()*(vds|nodejs|process)_\w*[a-z0-9]([^\w].*)?$/s.test(span);
}

/**
 * The functions that every page uses, from the runbook's README.
 * @param names values of its variables, such as `NS`
 */
export function sharedFunctions(names: Readonly<Record<string, string>>): string {
  const [block = ''] = blocks(readFileSync(join(folder, 'README.md'), 'utf8'), 'sh');
  return Object.entries(names).reduce((text, [name, value]) => {
    const changed = text.replace(new RegExp(String.raw`^${name}=\S+`, 'm'), `${name}=${value}`);
    if (!changed.includes(`${name}=${value}`)) throw new Error(`deploy/runbooks/README.md sets no ${name}`);
    return changed;
  }, block);
}
