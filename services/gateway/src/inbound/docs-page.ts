/** Renders openapi.yaml as one readable page: plain HTML, no script, no request to anybody. */
type Node = Readonly<Record<string, unknown>>;

export const docsStyle = `
:root{color-scheme:light dark}
body{font:16px/1.55 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
h2{margin-top:2.5rem;border-bottom:1px solid #8886}
code,pre{font:14px/1.45 ui-monospace,monospace;background:#8882;border-radius:4px;padding:.1em .3em}
pre{padding:.8em;overflow-x:auto}
table{border-collapse:collapse;width:100%;margin:.5rem 0}
th,td{text-align:left;vertical-align:top;padding:.35rem .6rem;border-bottom:1px solid #8884}
.verb{display:inline-block;min-width:4.5rem;font-weight:700}
`;

const escaped = (text: unknown): string =>
  String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Back quotes become code, blank lines paragraphs; nothing else of markdown is used in the contract. */
const prose = (text: unknown): string =>
  text === undefined
    ? ''
    : escaped(text)
        .trim()
        .split(/\n\s*\n/)
        .map((part) => `<p>${part.replaceAll(/`([^`]+)`/g, '<code>$1</code>')}</p>`)
        .join('');

const nodeOf = (value: unknown): Node => (typeof value === 'object' && value !== null ? (value as Node) : {});
const entriesOf = (value: unknown): readonly (readonly [string, Node])[] =>
  Object.entries(nodeOf(value)).map(([key, child]) => [key, nodeOf(child)]);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

const resolver =
  (document: Node) =>
  (node: Node): Node => {
    const reference = node['$ref'];
    if (typeof reference !== 'string') return node;
    const keys = reference.slice('#/'.length).split('/');
    return nodeOf(keys.reduce<unknown>((value, key) => nodeOf(value)[key], document));
  };
type Resolve = ReturnType<typeof resolver>;

const nameOf = (node: Node): string | undefined => {
  const reference = node['$ref'];
  return typeof reference === 'string' ? reference.slice(reference.lastIndexOf('/') + 1) : undefined;
};

const linked = (name: string): string => `<a href="#${escaped(name)}">${escaped(name)}</a>`;

const typeOf = (node: Node): string => {
  const name = nameOf(node);
  if (name !== undefined) return linked(name);
  const alternatives = listOf(node['oneOf']).map((option) => typeOf(nodeOf(option)));
  if (alternatives.length > 0) return alternatives.join(' or ');
  if (node['const'] !== undefined) return `<code>${escaped(JSON.stringify(node['const']))}</code>`;
  const type = [node['type'] ?? 'any'].flat().map(escaped).join(' or ');
  return node['items'] === undefined ? type : `${type} of ${typeOf(nodeOf(node['items']))}`;
};

const ruleNames = [
  'format',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
  'pattern',
  'default',
];

const rulesOf = (node: Node): string => {
  const own = ruleNames
    .filter((rule) => node[rule] !== undefined)
    .map((rule) => `${rule} <code>${escaped(node[rule])}</code>`);
  const values = listOf(node['enum']).map((value) => `<code>${escaped(value)}</code>`);
  const items = node['items'] === undefined ? '' : rulesOf(nodeOf(node['items']));
  return [...own, ...(values.length > 0 ? [values.join(' ')] : []), ...(items === '' ? [] : [`each: ${items}`])].join(
    '; ',
  );
};

const fieldsTable = (schema: Node): string => {
  const required = new Set(listOf(schema['required']));
  const rows = entriesOf(schema['properties']).map(([name, field]) => {
    const inner = [field, ...listOf(field['oneOf']).map(nodeOf)].filter((node) => node['properties'] !== undefined);
    const rules = [rulesOf(field), prose(field['description']), ...inner.map(fieldsTable)].join(' ');
    return `<tr><td><code>${escaped(name)}</code></td><td>${typeOf(field)}</td><td>${required.has(name) ? 'yes' : 'no'}</td><td>${rules}</td></tr>`;
  });
  if (rows.length === 0) return `<p>${typeOf(schema)} ${rulesOf(schema)}</p>`;
  return `<table><tr><th>Field</th><th>Type</th><th>Required</th><th>Rules</th></tr>${rows.join('')}</table>`;
};

const contentOf = (node: Node): Node => nodeOf(nodeOf(node['content'])['application/json']);

const examplesOf = (content: Node): string =>
  [content['example'], ...entriesOf(content['examples']).map(([, example]) => example['value'])]
    .filter((example) => example !== undefined)
    .map((example) => `<pre>${escaped(JSON.stringify(example, null, 2))}</pre>`)
    .join('');

const bodyOf = (node: Node): string => {
  const content = contentOf(node);
  const schema = nodeOf(content['schema']);
  return `${Object.keys(schema).length > 0 ? typeOf(schema) : ''}${examplesOf(content)}`;
};

const answersTable = (operation: Node, resolve: Resolve): string => {
  const rows = entriesOf(operation['responses']).map(([status, answer]) => {
    const resolved = resolve(answer);
    const headers = Object.keys(nodeOf(resolved['headers'])).map((name) => `<code>${escaped(name)}</code>`);
    return `<tr><td>${escaped(status)}</td><td>${prose(resolved['description'])}</td><td>${bodyOf(resolved)}</td><td>${headers.join('<br>')}</td></tr>`;
  });
  return `<table><tr><th>Status</th><th>Meaning</th><th>Body</th><th>Headers</th></tr>${rows.join('')}</table>`;
};

const operationSection = (path: string, verb: string, operation: Node, resolve: Resolve): string => {
  const body =
    operation['requestBody'] === undefined ? '' : `<h4>Request</h4>${bodyOf(nodeOf(operation['requestBody']))}`;
  return `<h3 id="${escaped(operation['operationId'])}">${escaped(operation['summary'])}</h3>
<p><span class="verb">${escaped(verb.toUpperCase())}</span><code>${escaped(path)}</code></p>
${prose(operation['description'])}${body}<h4>Answers</h4>${answersTable(operation, resolve)}`;
};

const verbs = ['get', 'post', 'delete'];

/** The whole page. */
export const docsPage = (document: Node): string => {
  const resolve = resolver(document);
  const info = nodeOf(document['info']);
  const operations = entriesOf(document['paths']).flatMap(([path, methods]) =>
    entriesOf(methods)
      .filter(([verb]) => verbs.includes(verb))
      .map(([verb, operation]) => operationSection(path, verb, operation, resolve)),
  );
  const schemas = entriesOf(nodeOf(document['components'])['schemas']).map(
    ([name, schema]) =>
      `<h3 id="${escaped(name)}">${escaped(name)}</h3>${prose(schema['description'])}${fieldsTable(schema)}`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escaped(info['title'])} ${escaped(info['version'])}</title><style>${docsStyle}</style></head>
<body><h1>${escaped(info['title'])} ${escaped(info['version'])}</h1>${prose(info['description'])}
<p>The same for machines: <a href="openapi.json">openapi.json</a></p>
<h2>Operations</h2>${operations.join('\n')}<h2>Types</h2>${schemas.join('\n')}</body></html>
`;
};
