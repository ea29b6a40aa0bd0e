import { expect } from 'chai';
import { contract, resolve } from '@vds/proto/testing/contract-check';
import { docsPage } from '../src/inbound/docs-page.ts';
import { escaped } from '../src/inbound/docs-text.ts';

type Schema = {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
};

const page = docsPage(contract);
const operations = Object.values(contract.paths).flatMap((methods) =>
  Object.values(methods).filter(({ operationId }) => operationId !== undefined),
);
const answers = operations.flatMap(({ responses }) => Object.values(responses).map((answer) => resolve(answer).value));
function fieldsOf(schema: Schema): readonly string[] {
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => [name, ...fieldsOf(inner)]),
    ...(schema.oneOf ?? []).flatMap(fieldsOf),
    ...(schema.items ? fieldsOf(schema.items) : []),
  ];
}

describe('the page of the contract', () => {
  it('shows every operation', () => {
    expect(operations).to.have.length(5);
    for (const { operationId } of operations) expect(page).to.include(`<section id="${operationId}">`);
    for (const path of Object.keys(contract.paths)) expect(page).to.include(escaped(path));
  });

  it('shows every field of every type', () => {
    const names = Object.values(contract.components['schemas'] as Record<string, Schema>).flatMap(fieldsOf);
    expect(names).to.include.members(['source_url', 'playback_id', 'retryable', 'request_id']);
    for (const name of names) expect(page, name).to.include(`<td><code>${name}</code>`);
  });

  it('shows every example of every request and answer', () => {
    const holders = [...answers, ...operations.flatMap(({ requestBody }) => requestBody ?? [])];
    const examples = holders.flatMap(({ content }) => Object.values(content?.['application/json']?.examples ?? {}));
    expect(examples).to.have.length.above(50);
    for (const { value } of examples) expect(page).to.include(`<pre>${escaped(JSON.stringify(value, null, 2))}</pre>`);
  });

  it('shows every error code, every header and every limit', () => {
    const { enum: codes } = (
      contract.components['schemas'] as {
        Error: { properties: { error: { properties: { code: { enum: string[] } } } } };
      }
    ).Error.properties.error.properties.code;
    for (const code of codes) expect(page, code).to.include(`<tr><td><code>${code}</code></td><td><span class="status`);
    for (const { headers } of answers)
      for (const name of Object.keys(headers ?? {})) expect(page, name).to.include(`<tr id="header-${name}">`);
    for (const words of [
      '200 characters',
      '2,000 characters',
      '8,192 characters',
      '25 items',
      'each at most 50 characters',
      '256 KiB',
      '60 by default',
      '500 by default',
    ])
      expect(page).to.include(words);
  });

  it('leads nowhere but to itself and to the document', () => {
    const targets = [...page.matchAll(/href="([^"]*)"/g)].map(([, target = '']) => target);
    for (const target of new Set(targets)) {
      if (target === 'openapi.json') continue;
      expect(target).to.match(/^#/);
      expect(page, target).to.include(`id="${target.slice(1)}"`);
    }
  });
});
