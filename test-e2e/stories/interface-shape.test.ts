/** The shape of the interface as a whole, read from its contract, proto/openapi.yaml. */
import { expect } from 'chai';
import { stageNames } from '@vds/proto/stages';
import { contract } from '@vds/proto/testing/contract-check';
import { readCoverage } from '@vds/testkit/specification/proofs';

type Schema = {
  readonly enum?: readonly string[];
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly default?: string;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
};

const document = contract as unknown as {
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly callbacks?: object }>>>>;
  readonly webhooks?: object;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};
const methods = ['get', 'post', 'put', 'patch', 'delete'];
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  methods.filter((method) => item[method]).map((method) => `${method.toUpperCase()} ${path}`),
);
function schema(name: string): Schema {
  return document.components.schemas[name] ?? {};
}

/** The inline code of the specification's one line under a heading. */
function specified(heading: string): string[] {
  const table = readCoverage(new URL('spec-coverage.json', import.meta.url));
  const [line] = table.filter(({ under }) => under === heading);
  return [...(line?.text ?? '').matchAll(/`([a-z_]+)`/g)].map(([, word]) => word ?? '');
}

describe('the interface', () => {
  it('the interface has exactly five operations, all under /v1', () => {
    expect(operations).to.have.members([
      'POST /v1/videos',
      'GET /v1/videos/{id}',
      'DELETE /v1/videos/{id}',
      'POST /v1/videos/{id}/archive',
      'POST /v1/videos/{id}/republish',
    ]);
  });

  it('the contract has version 1.0.0', () => expect(document.info.version).to.equal('1.0.0'));

  it('the pipeline has the five stages of the specification, and none that judges what a video shows', () => {
    expect(stageNames.toSorted()).to.deep.equal(['captions', 'encode', 'fetch', 'inspect', 'metadata']);
  });

  it('the interface has no webhooks and no callbacks', () => {
    const items = Object.values(document.paths).flatMap((item) => Object.values(item));
    expect([document.webhooks, ...items.map(({ callbacks }) => callbacks)].filter(Boolean)).to.deep.equal([]);
  });

  it('the interface has exactly the sports and categories of the specification', () => {
    expect(schema('Sport').enum).to.deep.equal(specified('2.4'));
    expect(schema('Sport').enum).to.have.length(30);
    expect(schema('Category').enum).to.deep.equal(specified('2.5'));
    expect(schema('Category').enum).to.have.length(15);
  });

  it('an ingest request has the specified fields with their limits', () => {
    const { required, properties = {} } = schema('IngestRequest');
    expect(required).to.deep.equal(['source_url', 'title']);
    expect(Object.keys(properties)).to.have.members([
      ...['source_url', 'title', 'thumbnail_url', 'tags', 'sport', 'category', 'language_code', 'summary'],
    ]);
    expect(properties['title']?.maxLength).to.equal(200);
    expect([properties['tags']?.maxItems, properties['tags']?.items?.maxLength]).to.deep.equal([25, 50]);
    expect(properties['summary']?.maxLength).to.equal(2_000);
    expect(properties['language_code']).to.include({ pattern: '^[a-z]{2}$', default: 'en' });
  });

  it('a video has the statuses of the specification, and failed', () => {
    expect(schema('Video').properties?.['status']?.enum).to.deep.equal([
      ...['processing', 'ready', 'archived', 'deleted', 'failed'],
    ]);
  });
});
