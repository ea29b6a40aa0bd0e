/** A schema for readers: its fields, each with type, constraints, values and description. */
import { html, joined, type Html } from './html.ts';
import { inline } from './markdown.ts';
import { schemaName, type Schema } from './open-api.ts';

/** The fields of an object, or type and values of anything else. */
export function describeSchema(schema: Schema): Html {
  return html`${prose(schema)} ${schema.properties ? fields(schema) : html`<p>${typeLine(schema)}</p>`}
  ${values(schema)}`;
}

function fields({ properties = {}, required = [] }: Schema): Html {
  return html`<dl class="fields">
    ${Object.entries(properties).map(([name, schema]) => field(name, schema, required.includes(name)))}
  </dl>`;
}

function field(name: string, schema: Schema, required: boolean): Html {
  return html`<dt>
      <code class="name">${name}</code> <span class="type">${typeLine(schema)}</span>
      ${required ? html`<span class="required">required</span>` : ''}
    </dt>
    <dd>${prose(schema)} ${values(schema)} ${innerFields(schema)}</dd> `;
}

/** Objects within a field are described where they are. */
function innerFields(schema: Schema): Html {
  const inner = [schema, ...(schema.oneOf ?? []), ...(schema.items ? [schema.items] : [])];
  return html`${inner.filter(({ properties }) => properties !== undefined).map(fields)}`;
}

function prose({ description }: Schema): Html {
  return description === undefined ? html`` : html`<p>${inline(description)}</p>`;
}

function values(schema: Schema): Html {
  if (schema.enum === undefined) return html``;
  const all = schema.enum.map((value) => html`<code class="value">${JSON.stringify(value)}</code>`);
  return html`<p class="values">${joined(all, ' ')}</p>`;
}

/** Type and constraints in one line: `string · 1 to 200 characters`. */
function typeLine(schema: Schema): Html {
  const parts = [typeOf(schema), ...constraints(schema).map((constraint) => html`${constraint}`)];
  return joined(parts, ' · ');
}

function typeOf(schema: Schema): Html {
  const name = schemaName(schema);
  if (name !== undefined) return html`<a href="#schema-${name}">${name}</a>`;
  const [alternatives] = [schema.oneOf ?? schema.allOf];
  if (alternatives) return joined(alternatives.map(typeOf), ' or ');
  if (schema.items) return html`list of ${typeOf(schema.items)}${orNull(schema)}`;
  if (schema.const !== undefined) return html`<code class="value">${JSON.stringify(schema.const)}</code>`;
  return html`${[schema.type ?? 'any'].flat().join(' or ')}`;
}

function orNull({ type = [] }: Schema): string {
  return type.includes('null') ? ' or null' : '';
}

function constraints(schema: Schema): readonly string[] {
  const { minLength, maxLength, maxItems, minimum, maximum, format } = schema;
  const rule = schema['x-rule'] ?? (schema.pattern === undefined ? undefined : `matches ${schema.pattern}`);
  return [
    ...range(minLength, maxLength, 'characters'),
    ...range(undefined, maxItems, 'items'),
    ...range(minimum, maximum, ''),
    ...(schema.items ? constraints(schema.items) : []).map((constraint) => `each ${constraint}`),
    ...(format === undefined ? [] : [`format ${format}`]),
    ...(rule === undefined ? [] : [rule]),
    ...(schema.default === undefined ? [] : [`by default ${schema.default}`]),
  ];
}

function range(least: number | undefined, most: number | undefined, what: string): readonly string[] {
  if (least === undefined && most === undefined) return [];
  if (least === undefined) return [`at most ${most} ${what}`.trim()];
  return [(most === undefined ? `at least ${least} ${what}` : `${least} to ${most} ${what}`).trim()];
}
