/** The page of the contract in a real browser, under its own Content-Security-Policy. */
import { existsSync } from 'node:fs';
import { skipBecause } from '@vds/testkit/skip';
import { contract, resolve } from '@vds/proto/testing/contract-check';
import { expect } from 'chai';
import { chromium, type Browser } from 'playwright-core';
import { servePeers, startGateway, type Gateway } from './gateway.ts';

type Schema = {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
};

const operations = Object.values(contract.paths).flatMap((methods) =>
  Object.values(methods).filter(({ operationId }) => operationId !== undefined),
);
const responses = operations.flatMap((operation) =>
  Object.values(operation.responses).map((response) => resolve(response).value),
);
function fieldsOf(schema: Schema): readonly string[] {
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => [name, ...fieldsOf(inner)]),
    ...(schema.oneOf ?? []).flatMap(fieldsOf),
    ...(schema.items ? fieldsOf(schema.items) : []),
  ];
}

describe('the page of the contract', function () {
  this.timeout(60_000);

  let peers: Awaited<ReturnType<typeof servePeers>> | undefined;
  let gateway: Gateway | undefined;
  let browser: Browser | undefined;
  let text = '';
  let operationIds: readonly string[] = [];
  let examples: readonly string[] = [];
  const problems: string[] = [];
  const hosts = new Set<string>();

  before(async function () {
    const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
    if (!existsSync(executablePath)) return skipBecause(this, `there is no Chromium at ${executablePath}`);
    peers = await servePeers({ auth: {}, catalog: {} });
    gateway = await startGateway(peers.port);
    browser = await chromium.launch({ executablePath, args: ['--disable-gpu'] });
    const page = await browser.newPage();
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('request', (request) => hosts.add(new URL(request.url()).host));
    // A browser requests it by itself; the interface has none.
    await page.route('**/favicon.ico', (route) => route.fulfill({ status: 204 }));
    await page.goto(`${gateway.base}/docs`);
    await page.waitForSelector('.opblock-section');
    text = (await page.locator('body').textContent()) ?? '';
    operationIds = await page.locator('.opblock').evaluateAll((blocks) => blocks.map(({ id }) => id));
    examples = await page.locator('select option').allTextContents();
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

  it('the page of the contract has every operation and path', () => {
    expect(operations).to.have.length(5);
    for (const { operationId } of operations) expect(operationIds).to.include(`operations-videos-${operationId}`);
    for (const path of Object.keys(contract.paths)) expect(text.replaceAll('\u200b', '')).to.include(path);
  });

  it('the page of the contract has every field of every type', () => {
    const names = Object.values(contract.components['schemas'] as Record<string, Schema>).flatMap(fieldsOf);
    expect(names).to.include.members(['source_url', 'playback_id', 'retryable', 'request_id']);
    for (const name of names) expect(text, name).to.include(name);
  });

  it('the page of the contract offers every example of every request and response', () => {
    const holders = [...responses, ...operations.flatMap(({ requestBody }) => requestBody ?? [])];
    const all = holders.flatMap(({ content }) => Object.values(content?.['application/json']?.examples ?? {}));
    expect(all).to.have.length.above(50);
    for (const { summary = '' } of all) expect(text + examples.join(), summary).to.include(summary);
  });

  it('the page of the contract has every error code, every header and every limit', () => {
    const { enum: codes } = (
      contract.components['schemas'] as {
        Error: { properties: { error: { properties: { code: { enum: string[] } } } } };
      }
    ).Error.properties.error.properties.code;
    for (const code of codes) expect(text, code).to.include(code);
    for (const { headers } of responses) for (const name of Object.keys(headers ?? {})) expect(text).to.include(name);
    for (const limit of ['200', '2000', '8192', '25', '50', '256 KiB', '60 by default', '500 by default'])
      expect(text).to.include(limit);
  });
});
