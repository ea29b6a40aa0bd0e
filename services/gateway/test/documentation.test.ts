/** The page of the contract in a real browser, under its own Content-Security-Policy. */
import { failures } from '@vds/proto/failures';
import { contract, resolve, type ContractAnswer } from '@vds/proto/testing/contract-check';
import { warnings } from '@vds/proto/warnings';
import { requireChromium } from '@vds/testkit/programs/chromium';
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

/** The values of examples that the page shows. */
async function shownExamples(figures: Locator): Promise<unknown[]> {
  return (await figures.locator('pre').allTextContents()).map((text) => JSON.parse(text) as unknown);
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
    await page.waitForSelector('.tabs [aria-pressed=true]');
    text = (await page.locator('body').textContent()) ?? '';
  });

  /** Code, message and remedy of each row of a table of codes. */
  async function rowsOf(section: string): Promise<string[][]> {
    const codes = await page.locator(`${section} dt`).allTextContents();
    const texts = await page
      .locator(`${section} dd`)
      .evaluateAll((all) =>
        all.map((one) => [...one.querySelectorAll('p:not(.facts)')].map(({ textContent }) => textContent ?? '')),
      );
    return codes.map((code, index) => [code, ...(texts[index] ?? [])]);
  }

  after(async () => {
    await browser?.close();
    await gateway?.close();
    await peers?.close();
  });

  it('the page of the contract loads without errors, from its own host only', () => {
    expect(problems).to.deep.equal([]);
    expect([...hosts]).to.deep.equal([new URL(gateway!.base).host]);
  });

  it('the page of the contract links only to itself and the document, and no link is broken', async () => {
    const links = await page.locator('[href]').evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).href));
    expect(links).to.have.length.above(20);
    for (const link of links) {
      const path = link.replace(gateway!.base, '');
      expect(path).to.match(/^\/(docs(#.*|\/page\.css)?|openapi\.json)$/);
      const [, anchor] = path.split('#');
      if (anchor !== undefined) expect(await page.locator(`[id="${anchor}"]`).count(), link).to.equal(1);
    }
  });

  it('the page of the contract starts with its title and the base address, which its samples can be given', async () => {
    const [title, base] = await page.locator('h1, #base').allTextContents();
    expect(title).to.equal('Video Distribution API 1.0.0');
    expect(base).to.equal(gateway!.base);
    expect(await page.locator('body').innerText()).to.match(/^Video Distribution API 1\.0\.0\s+Base address http/);
    expect(await page.locator('#environment').innerText()).to.include(`export VDS_BASE_URL=${gateway!.base}\n`);
  });

  it('the page of the contract has every operation and path', async () => {
    const operationIds = await page.locator('.call').evaluateAll((blocks) => blocks.map(({ id }) => id));
    expect(operations).to.have.length(5);
    expect(operationIds).to.deep.equal(operations.map(({ operationId }) => operationId));
    for (const path of Object.keys(contract.paths)) expect(text).to.include(path);
  });

  it('the page of the contract has every type, every field and every value of an enumeration', async () => {
    const titles = await page.locator('.schema h3').allTextContents();
    expect(titles).to.deep.equal(Object.keys(schemas));
    const fields = Object.values(schemas).flatMap(fieldsOf);
    expect(fields).to.include.members(['source_url', 'playback_id', 'retryable', 'request_id']);
    expect(await page.locator('.schema .fields .name').allTextContents()).to.deep.equal(fields);
    const values = Object.values(schemas).flatMap(enumValuesOf);
    expect(values).to.include.members(['australian_football', 'no_path', 'invalid_input']);
    const shown = await page.locator('.schema .values .value').allTextContents();
    expect(shown).to.have.members(values.map((value) => JSON.stringify(value)));
  });

  it('the page of the contract shows every example of every request in full', async () => {
    for (const { operationId, requestBody } of operations) {
      if (requestBody === undefined) continue;
      const shown = page.locator(`#${operationId} > .example`);
      expect(await shownExamples(shown), operationId).to.deep.equal(examplesOf(requestBody));
    }
  });

  it('the page of the contract shows every response’s examples in full, every error code and every header', async () => {
    const all: unknown[] = [];
    for (const { operationId, responses } of operations)
      for (const [status, reference] of Object.entries(responses)) {
        const response = resolve(reference).value;
        const row = page.locator(`#${operationId} .response[data-status="${status}"]`);
        const shown = await shownExamples(row.locator('.example'));
        expect(shown, `${operationId} ${status}`).to.deep.equal(examplesOf(response));
        const headers = await row.locator('.headers dt').allTextContents();
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
    const fields = await page.locator('#schema-IngestRequest dt').allInnerTexts();
    for (const [name, limit] of [
      ['source_url', 'at most 8192 characters'],
      ['title', '1 to 200 characters'],
      ['thumbnail_url', 'at most 8192 characters'],
      ['tags', 'each at most 50 characters'],
      ['tags', 'at most 25 items'],
      ['summary', 'at most 2000 characters'],
    ] as const)
      expect(
        fields.find((field) => field.startsWith(name)),
        name,
      ).to.include(limit);
    for (const limit of ['at most 256 KiB', 'requests per minute (60 by default)', 'requests per day (500 by default)'])
      expect(text.replaceAll(/\s+/g, ' ')).to.include(limit);
  });

  it('the page of the contract has every failure code and every warning of their tables, each with its remedy', async () => {
    expect(await rowsOf('#failures')).to.deep.equal(
      Object.entries(failures).map(([code, { message }]) => [code, message]),
    );
    expect(await rowsOf('#warnings')).to.deep.equal(
      Object.entries(warnings).map(([code, { message, remedy }]) => [code, message, remedy]),
    );
  });

  it('the page of the contract has each call in three languages, and shows one of them at a time', async () => {
    for (const { operationId } of operations) {
      const samples = page.locator(`#${operationId} .sample`);
      expect(
        await samples.evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset['sample'])),
      ).to.deep.equal(['curl', 'typescript', 'python']);
      await page.locator(`#${operationId} .tabs button`, { hasText: 'Python' }).click();
      expect(await samples.filter({ visible: true }).allInnerTexts()).to.have.length(1);
      expect(await samples.filter({ visible: true }).innerText()).to.include('import urllib.request');
    }
  });

  it('the page of the contract is as wide as a phone and as a desktop, in light and in dark, with everything open', async () => {
    await page.locator('details').evaluateAll((all) => all.forEach((one) => one.setAttribute('open', '')));
    for (const width of [390, 1280])
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height: 844 });
        await page.emulateMedia({ colorScheme });
        const seen = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
        expect(seen, colorScheme).to.deep.equal([width, width]);
      }
  });
});
