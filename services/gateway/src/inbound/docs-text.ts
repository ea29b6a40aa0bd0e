/** The contract's text as HTML: escaped, with the little of markdown that the contract uses. */
export type Node = Readonly<Record<string, unknown>>;

export const escaped = (text: unknown): string =>
  String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

export const nodeOf = (value: unknown): Node => (typeof value === 'object' && value !== null ? (value as Node) : {});
export const entriesOf = (value: unknown): readonly (readonly [string, Node])[] =>
  Object.entries(nodeOf(value)).map(([key, child]) => [key, nodeOf(child)]);
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

export const code = (value: unknown): string => `<code>${escaped(value)}</code>`;
export const linked = (name: string): string => `<a href="#${escaped(name)}">${escaped(name)}</a>`;

/** A description, where there is one. */
const textOf = (text: unknown): string => (typeof text === 'string' ? text.trim() : '');

/** Back quotes become code. */
export const inline = (text: unknown): string => escaped(textOf(text)).replaceAll(/`([^`]+)`/g, '<code>$1</code>');

const blockOf = (block: string): string => {
  const [first = ''] = block.split('\n');
  if (first.startsWith('## ')) return `<h3>${inline(first.slice('## '.length))}</h3>`;
  if (!first.startsWith('- ')) return `<p>${inline(block)}</p>`;
  const items = block.slice('- '.length).split('\n- ');
  return `<ul>${items.map((item) => `<li>${inline(item)}</li>`).join('')}</ul>`;
};

/** Paragraphs, lists and headings, with blank lines between them. */
export const prose = (text: unknown): string =>
  textOf(text) === ''
    ? ''
    : textOf(text)
        .split(/\n\s*\n/)
        .map(blockOf)
        .join('');

/** What a `$ref` of the document leads to. */
export const resolver =
  (document: Node) =>
  (node: Node): Node => {
    const reference = node['$ref'];
    if (typeof reference !== 'string') return node;
    const keys = reference.slice('#/'.length).split('/');
    return nodeOf(keys.reduce<unknown>((value, key) => nodeOf(value)[key], document));
  };
export type Resolve = ReturnType<typeof resolver>;
