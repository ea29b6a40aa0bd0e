/** The page of the contract in a real browser, under its own Content-Security-Policy. */
import { contract, resolve, type ContractAnswer } from '@vds/proto/testing/contract-check';
import { requireChromium } from '@vds/testkit/programs/chromium';
import { until } from '@vds/testkit/until';
import { expect } from 'chai';
import { chromium, type Browser, type Locator, type Page } from 'playwright-core';
import { servePeers, startGateway, type Gateway } from './gateway.ts';

type Schema = {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly enum?: readonly (string | null)[];
};

const schemas = contract.components['schemas'] as Readonly<Record<string, Schema>>;
const operations = Object.values(contract.paths).flatMap((methods) =>
  Object.values(methods).filter(({ operationId }) => operationId !== undefined),
);
function fieldsOf(schema: Schema): readonly string[] {
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => [name, ...fieldsOf(inner)]),
    ...(schema.oneOf ?? []).flatMap(fieldsOf),
    ...(schema.items ? fieldsOf(schema.items) : []),
  ];
}
function enumValuesOf(schema: Schema): readonly (string | null)[] {
  const inner = [...Object.values(schema.properties ?? {}), ...(schema.oneOf ?? [])];
  return [...(schema.enum ?? []), ...[...inner, ...(schema.items ? [schema.items] : [])].flatMap(enumValuesOf)];
}

function examplesOf({ content }: ContractAnswer): unknown[] {
  return Object.values(content?.['application/json']?.examples ?? {}).map(({ value }) => value);
}

/** The values that the page shows for the examples of a request or response, one after the other. */
async function shownExamples(holder: Locator): Promise<unknown[]> {
  const select = holder.locator('select.examples-select-element');
  const options = await select.locator('option').evaluateAll((all) => all.map((one) => one.getAttribute('value')));
  const shown: unknown[] = [];
  let text: string | null = null;
  for (const option of options) {
    // The first one is selected already; selecting it again would render the page again.
    if (option !== options[0]) await select.selectOption(option);
    const changed = async () => {
      const now = await holder.locator('.highlight-code code').textContent();
      return now !== text && now;
    };
    text = await until(changed, { what: `the example ${option} is shown`, everyMs: 5 });
    shown.push(JSON.parse(text));
  }
  return shown;
}

/** Name and constraints of every type and field that the page describes, as `title: [1, 200] characters`. */
function shownConstraints(page: Page): Promise<string[]> {
  return page.locator('.json-schema-2020-12-head').evaluateAll((heads) =>
    heads.flatMap((head) => {
      const name = head.querySelector('.json-schema-2020-12__title')?.textContent ?? '';
      const constraints = [...head.querySelectorAll('.json-schema-2020-12__constraint')];
      return constraints.map(({ textContent }) => `${name}: ${textContent}`);
    }),
  );
}

describe('the page of the contract', function () {
  this.timeout(60_000);

  let peers: Awaited<ReturnType<typeof servePeers>> | undefined;
  let gateway: Gateway | undefined;
  let browser: Browser | undefined;
  let page: Page;
  let text = '';
  const problems: string[] = [];
  const hosts = new Set<string>();

  before(async function () {
    const executablePath = requireChromium(this);
    peers = await servePeers({ auth: {}, catalog: {} });
    gateway = await startGateway(peers.port);
    browser = await chromium.launch({ executablePath, args: ['--disable-gpu'] });
    page = await browser.newPage();
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('request', (request) => hosts.add(new URL(request.url()).host));
    // A browser requests it by itself; the interface has none.
    await page.route('**/favicon.ico', (route) => route.fulfill({ status: 204 }));
    await page.goto(`${gateway.base}/docs`);
    await page.waitForSelector('.opblock-section');
    text = (await page.locator('body').textContent()) ?? '';
  });
  after(async () => {
    await browser?.close();
    await gateway?.close();
    await peers?.close();
  });

  it('the page of the contract loads without errors, from its own host only', () => {
    expect(problems).to.deep.equal([]);
    expect([...hosts]).to.deep.equal([new URL(gateway!.base).host]);
  });

  it('the page of the contract links to nothing but itself and the document', async () => {
    const links = await page.locator('[href]').evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).href));
    expect(links).to.have.length.above(5);
    for (const link of links)
      expect(link.replace(gateway!.base, '')).to.match(/^\/(docs(#.*|\/swagger-ui\.css)?|openapi\.json)$/);
  });

  it('the page of the contract has every operation and path', async () => {
    const operationIds = await page.locator('.opblock').evaluateAll((blocks) => blocks.map(({ id }) => id));
    expect(operations).to.have.length(5);
    for (const { operationId } of operations) expect(operationIds).to.include(`operations-videos-${operationId}`);
    for (const path of Object.keys(contract.paths)) expect(text.replaceAll('\u200b', '')).to.include(path);
  });

  it('the page of the contract has every type, every field and every value of an enumeration', async () => {
    const titles = await page.locator('.json-schema-2020-12__title').allTextContents();
    const fields = Object.values(schemas).flatMap(fieldsOf);
    expect(fields).to.include.members(['source_url', 'playback_id', 'retryable', 'request_id']);
    expect(titles).to.include.members([...Object.keys(schemas), ...fields]);
    const values = Object.values(schemas).flatMap(enumValuesOf);
    expect(values).to.include.members(['australian_football', 'no_path', 'invalid_input']);
    const shown = page.locator('.json-schema-2020-12-keyword--enum .json-schema-2020-12-json-viewer__value');
    expect(await shown.allTextContents()).to.include.members(values.map((value) => JSON.stringify(value)));
  });

  it('the page of the contract shows every example of every request whole', async () => {
    for (const { operationId, requestBody } of operations) {
      if (requestBody === undefined) continue;
      const section = page.locator(`#operations-videos-${operationId} .opblock-section-request-body`);
      expect(await shownExamples(section), operationId).to.deep.equal(examplesOf(requestBody));
    }
  });

  it('the page of the contract shows every response’s examples whole, every error code and every header', async () => {
    const all: unknown[] = [];
    for (const { operationId, responses } of operations)
      for (const [status, reference] of Object.entries(responses)) {
        const response = resolve(reference).value;
        const row = page.locator(`#operations-videos-${operationId} tr.response[data-code="${status}"]`);
        const shown = await shownExamples(row);
        expect(shown, `${operationId} ${status}`).to.deep.equal(examplesOf(response));
        const headers = await row.locator('.headers tbody td:first-child').allTextContents();
        expect(headers, `${operationId} ${status}`).to.deep.equal(Object.keys(response.headers ?? {}));
        all.push(...shown);
      }
    expect(all).to.have.length.above(50);
    const codes = schemas['Error']?.properties?.['error']?.properties?.['code']?.enum ?? [];
    expect(codes).to.have.length(8);
    const shownCodes = all.map((value) => (value as { readonly error?: { readonly code: string } }).error?.code);
    expect(shownCodes).to.include.members([...codes]);
  });

  it('the page of the contract shows each limit at its field, and those of keys and bodies', async () => {
    expect(await shownConstraints(page)).to.include.members([
      'source_url: ≤ 8192 characters',
      'title: [1, 200] characters',
      'thumbnail_url: ≤ 8192 characters',
      'tags: ≤ 25 items',
      'Items: ≤ 50 characters',
      'summary: ≤ 2000 characters',
    ]);
    for (const limit of ['at most 256 KiB', 'requests per minute (60 by default)', 'requests per day (500 by default)'])
      expect(text).to.include(limit);
  });
});
