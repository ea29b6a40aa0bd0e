/** The contract's text as HTML: escaped, with the little of markdown that the contract uses. */
export type Node = Readonly<Record<string, unknown>>;
export type Resolve = ReturnType<typeof resolver>;

export function entriesOf(value: unknown): readonly (readonly [string, Node])[] {
  return Object.entries(nodeOf(value)).map(([key, child]) => [key, nodeOf(child)]);
}

export function nodeOf(value: unknown): Node {
  return typeof value === 'object' && value !== null ? (value as Node) : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

export function code(value: unknown): string {
  return `<code>${escaped(value)}</code>`;
}

export function escaped(text: unknown): string {
  return String(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

export function linked(name: string): string {
  return `<a href="#${escaped(name)}">${escaped(name)}</a>`;
}

/** Paragraphs, lists and headings, with blank lines between them. */
export function prose(text: unknown): string {
  return textOf(text) === ''
    ? ''
    : textOf(text)
        .split(/\n\s*\n/)
        .map(blockOf)
        .join('');
}

/** A description, where there is one. */
function textOf(text: unknown): string {
  return typeof text === 'string' ? text.trim() : '';
}

function blockOf(block: string): string {
  const [first = ''] = block.split('\n');
  if (first.startsWith('## ')) return `<h3>${inline(first.slice('## '.length))}</h3>`;
  if (!first.startsWith('- ')) return `<p>${inline(block)}</p>`;
  const items = block.slice('- '.length).split('\n- ');
  return `<ul>${items.map((item) => `<li>${inline(item)}</li>`).join('')}</ul>`;
}

/** Back quotes become code. */
export function inline(text: unknown): string {
  return escaped(textOf(text)).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

/** What a `$ref` of the document leads to. */
export function resolver(document: Node) {
  return (node: Node): Node => {
    const reference = node['$ref'];
    if (typeof reference !== 'string') return node;
    const keys = reference.slice('#/'.length).split('/');
    return nodeOf(keys.reduce<unknown>((value, key) => nodeOf(value)[key], document));
  };
}
