/** Renders openapi.yaml as one readable page: plain HTML, no script, no request to anybody. */
import { fieldsTable, typeOf } from './docs-schema.ts';
import { docsStyle } from './docs-style.ts';
import {
  code,
  entriesOf,
  escaped,
  inline,
  linked,
  listOf,
  nodeOf,
  prose,
  resolver,
  type Node,
  type Resolve,
} from './docs-text.ts';

type Operation = { readonly path: string; readonly verb: string; readonly node: Node; readonly parameters: unknown };
type Answer = readonly [status: string, answer: Node];

const verbs = ['get', 'post', 'delete'];

/** The whole page. */
export function docsPage(document: Node): string {
  const resolve = resolver(document);
  const info = nodeOf(document['info']);
  const operations = operationsOf(document);
  const components = nodeOf(document['components']);
  const schemas = entriesOf(components['schemas']);
  const keys = entriesOf(components['securitySchemes']).map(([, scheme]) => prose(scheme['description']));
  const types = schemas.map(
    ([name, schema]) =>
      `<h3 id="${escaped(name)}">${escaped(name)}</h3>${prose(schema['description'])}${fieldsTable(schema)}`,
  );
  const title = `${escaped(info['title'])} ${escaped(info['version'])}`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>${docsStyle}</style></head>
<body>${navigation(operations, schemas)}<main><h1 id="top">${title}</h1>${prose(info['description'])}
<h3>Keys</h3>${keys.join('')}
<p>The same for machines: <a href="openapi.json">openapi.json</a></p>
<h2>Operations</h2>${operations.map((operation) => operationSection(operation, resolve)).join('\n')}
<h2 id="errors">Errors</h2>${errorsTable(operations, resolve)}
<h2 id="headers">Headers</h2>${headersTable(operations, resolve)}
<h2>Types</h2>${types.join('\n')}</main></body></html>
`;
}

function operationsOf(document: Node): readonly Operation[] {
  return entriesOf(document['paths']).flatMap(([path, methods]) =>
    entriesOf(methods)
      .filter(([verb]) => verbs.includes(verb))
      .map(([verb, node]) => ({ path, verb, node, parameters: methods['parameters'] })),
  );
}

function navigation(operations: readonly Operation[], schemas: readonly (readonly [string, Node])[]): string {
  const calls = operations.map(
    ({ verb, node }) =>
      `<li>${verbBadge(verb)} <a href="#${escaped(node['operationId'])}">${escaped(node['operationId'])}</a></li>`,
  );
  return `<nav><a href="#top">Overview</a><h2>Operations</h2><ul>${calls.join('')}</ul>
<h2>Reference</h2><ul><li><a href="#errors">Errors</a></li><li><a href="#headers">Headers</a></li></ul>
<h2>Types</h2><ul>${schemas.map(([name]) => `<li>${linked(name)}</li>`).join('')}</ul></nav>`;
}

function verbBadge(verb: string): string {
  return `<span class="verb ${verb}">${verb.toUpperCase()}</span>`;
}

function operationSection(operation: Operation, resolve: Resolve): string {
  const { path, verb, node } = operation;
  const request = nodeOf(node['requestBody']);
  const parameters = listOf(operation.parameters)
    .map((one) => resolve(nodeOf(one)))
    .map((one) => `<h4>Path</h4><p>${code(one['name'])}</p>${prose(one['description'])}`);
  const body =
    node['requestBody'] === undefined
      ? ''
      : `<h4>Request</h4><p>Body ${typeOf(nodeOf(contentOf(request)['schema']))}</p>`;
  return `<section id="${escaped(node['operationId'])}"><h3>${inline(node['summary'])}</h3>
<p class="call">${verbBadge(verb)} ${escaped(path)}</p><p class="rules">Needs the scope ${code(node['x-scope'])}</p>
${prose(node['description'])}${curl(operation)}${parameters.join('')}${body}${examples(request)}
<h4>Answers</h4>${answersOf(operation, resolve).map(answerBlock).join('')}</section>`;
}

function contentOf(node: Node): Node {
  return nodeOf(nodeOf(node['content'])['application/json']);
}

/** The call as a shell command, with the first example of the request. */
function curl({ path, verb, node }: Operation): string {
  const example = examplesOf(nodeOf(node['requestBody']))[0]?.[1]['value'];
  const method = verb === 'get' ? '' : ` -X ${verb.toUpperCase()}`;
  const target = path.replace('{id}', 'vid_01jd3m8q0c7e5b9x2k4n6p8rst');
  const body =
    example === undefined ? '' : ` \\\n  -H 'content-type: application/json' \\\n  -d '${JSON.stringify(example)}'`;
  return `<pre>${escaped(`curl -s${method} "$BASE${target}" -H "authorization: Bearer $KEY"${body}`)}</pre>`;
}

function examplesOf(node: Node): readonly (readonly [string, Node])[] {
  return entriesOf(contentOf(node)['examples']);
}

function examples(node: Node): string {
  return examplesOf(node)
    .map(
      ([, { summary, value }]) =>
        `<details><summary>${inline(summary)}</summary><pre>${escaped(JSON.stringify(value, null, 2))}</pre></details>`,
    )
    .join('');
}

function answersOf({ node }: Operation, resolve: Resolve): readonly Answer[] {
  return entriesOf(node['responses']).map(([status, answer]) => [status, resolve(answer)]);
}

function answerBlock([status, answer]: Answer): string {
  const headers = Object.keys(nodeOf(answer['headers'])).map((name) => `<a href="#header-${name}">${code(name)}</a>`);
  const body = typeOf(nodeOf(contentOf(answer)['schema']));
  return `<div class="answer">${badge(status)} ${inline(answer['description'])}
<p class="rules">Body ${body} · Headers ${headers.join(' ')}</p>${examples(answer)}</div>`;
}

function badge(status: string): string {
  return `<span class="status s${status.charAt(0)}">${escaped(status)}</span>`;
}

/** Every error code with its status and the situations that the examples show. */
function errorsTable(operations: readonly Operation[], resolve: Resolve): string {
  const cases = new Map<string, Set<string>>();
  for (const [status, answer] of operations.flatMap((operation) => answersOf(operation, resolve)))
    for (const [, { summary, value }] of examplesOf(answer)) {
      const error = nodeOf(nodeOf(value)['error']);
      if (error['code'] === undefined) continue;
      const key = `<td>${code(error['code'])}</td><td>${badge(status)}</td>`;
      cases.set(key, (cases.get(key) ?? new Set()).add(`<li>${inline(summary)}: “${inline(error['message'])}”</li>`));
    }
  const cells = [...cases].map(([key, whens]) => `<tr>${key}<td><ul>${[...whens].join('')}</ul></td></tr>`);
  return `<table><thead><tr><th>Code</th><th>Status</th><th>When, for example</th></tr></thead><tbody>${cells.join('')}</tbody></table>`;
}

/** Every header once: those that only some answers have are told of at their answers. */
function headersTable(operations: readonly Operation[], resolve: Resolve): string {
  const headers = new Map<string, string>();
  for (const [, answer] of operations.flatMap((operation) => answersOf(operation, resolve)))
    for (const [name, header] of entriesOf(answer['headers']))
      if (!headers.has(name)) {
        const { description, schema } = resolve(header);
        headers.set(name, `<td>${typeOf(nodeOf(schema))}</td><td>${inline(description)}</td>`);
      }
  const rows = [...headers].map(([name, cells]) => `<tr id="header-${name}"><td>${code(name)}</td>${cells}</tr>`);
  return `<table><thead><tr><th>Header</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}
