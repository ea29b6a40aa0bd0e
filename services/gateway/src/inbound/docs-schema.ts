/** Schemas of the contract as HTML: types, rules in words, fields. */
import { code, entriesOf, escaped, inline, linked, listOf, nodeOf, prose, type Node } from './docs-text.ts';

const words: Readonly<Record<string, (value: unknown) => string>> = {
  format: (value) => `format ${code(value)}`,
  minLength: (value) => `at least ${escaped(value)} character`,
  maxLength: (value) => `at most ${Number(value).toLocaleString('en')} characters`,
  maxItems: (value) => `at most ${escaped(value)} items`,
  minimum: (value) => `from ${escaped(value)}`,
  maximum: (value) => `to ${escaped(value)}`,
  'x-rule': (value) => inline(value),
  pattern: (value) => `pattern ${code(value)}`,
  default: (value) => `default ${code(value)}`,
};

/** Every field of an object with its rules; the type alone of anything else. */
export function fieldsTable(schema: Node): string {
  const required = new Set(listOf(schema['required']));
  const rows = entriesOf(schema['properties']).map(([name, field]) => {
    const must = required.has(name) ? '<em>required</em>' : '';
    const rules = rulesOf(field);
    const about = `${prose(field['description'])}${rules === '' ? '' : `<p class="rules">${rules}</p>`}`;
    return `<tr><td>${code(name)}<br>${must}</td><td>${typeOf(field)}</td><td>${about}${innerOf(field).map(fieldsTable).join('')}</td></tr>`;
  });
  if (rows.length === 0) return `<p>${typeOf(schema)} <span class="rules">${rulesOf(schema)}</span></p>`;
  return `<table><thead><tr><th>Field</th><th>Type</th><th>Meaning and rules</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

/** A pattern is shown where the contract does not say in words what it means. */
function rulesOf(node: Node): string {
  const own = Object.entries(words)
    .filter(([rule]) => node[rule] !== undefined && !(rule === 'pattern' && node['x-rule'] !== undefined))
    .map(([rule, say]) => say(node[rule]));
  const values = listOf(node['enum']).map((value) => code(value));
  const items = node['items'] === undefined ? '' : rulesOf(nodeOf(node['items']));
  return [...own, ...(values.length > 0 ? [values.join(' ')] : []), ...(items === '' ? [] : [`each ${items}`])].join(
    '; ',
  );
}

/** A type in words, with a link where it has a name. */
export function typeOf(node: Node): string {
  const name = nameOf(node);
  if (name !== undefined) return linked(name);
  const [whole, ...narrowing] = listOf(node['allOf']).map(nodeOf);
  if (whole !== undefined && node['properties'] === undefined)
    return [typeOf(whole), ...narrowing.map(narrowedOf)].join(' ');
  const alternatives = listOf(node['oneOf']).map((option) => typeOf(nodeOf(option)));
  if (alternatives.length > 0) return alternatives.join(' or ');
  if (node['const'] !== undefined) return code(JSON.stringify(node['const']));
  const type = [node['type'] ?? 'any'].flat().map(escaped).join(' or ');
  return node['items'] === undefined ? type : type.replace('array', `list of ${typeOf(nodeOf(node['items']))}`);
}

function nameOf(node: Node): string | undefined {
  const reference = node['$ref'];
  return typeof reference === 'string' ? reference.slice(reference.lastIndexOf('/') + 1) : undefined;
}

function narrowedOf(node: Node): string {
  return entriesOf(node['properties'])
    .map(([name, { const: value }]) => `with ${code(name)} ${code(value)}`)
    .join(', ');
}

/** The inner object of a field, if it has one: the field's own, one alternative's or its items'. */
function innerOf(field: Node): readonly Node[] {
  return [field, ...listOf(field['oneOf']).map(nodeOf), nodeOf(field['items'])].filter(
    (node) => node['properties'] !== undefined,
  );
}
