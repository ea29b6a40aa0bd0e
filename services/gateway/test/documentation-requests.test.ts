/** Requests from the contract's page in a real browser: what is sent, what is shown, and where the key stays. */
import { requireChromium } from '@vds/testkit/programs/chromium';
import { expect } from 'chai';
import { chromium, type Browser, type Page, type Request } from 'playwright-core';
import { serveAcceptingPeers, startGateway, type Gateway } from './gateway.ts';

const key = `svc_live_${'k'.repeat(24)}_${'s'.repeat(32)}`;

describe('requests from the page of the contract', function () {
  this.timeout(60_000);

  let peers: Awaited<ReturnType<typeof serveAcceptingPeers>> | undefined;
  let gateway: Gateway | undefined;
  let browser: Browser | undefined;
  let page: Page;
  let sent: Request[] = [];
  let created = 0;

  before(async function () {
    const executablePath = requireChromium(this);
    peers = await serveAcceptingPeers(() => created++, {
      DeleteVideo: async ({ id }) => ({ id, status: 'deleted', queued: false }),
    });
    gateway = await startGateway(peers.port);
    browser = await chromium.launch({ executablePath, args: ['--disable-gpu'] });
  });
  beforeEach(async () => {
    page = await browser!.newPage();
    sent = [];
    created = 0;
    page.on('request', (request) => request.url().includes('/v1/') && sent.push(request));
    await page.goto(`${gateway!.base}/docs`);
  });
  afterEach(() => page?.close());
  after(async () => {
    await browser?.close();
    await gateway?.close();
    await peers?.close();
  });

  /** Sends the request of a call and returns the lines of the outcome. */
  async function tryCall(operationId: string): Promise<string[]> {
    const form = page.locator(`#${operationId} .try`);
    if ((await form.getAttribute('open')) === null) await form.locator('summary').click();
    await form.locator('.send').click();
    await form.locator('.send:enabled').waitFor();
    return form.locator('.outcome > *').allTextContents();
  }

  it('a request from the page is sent with the reader’s key, and shows status, headers and body', async () => {
    await page.locator('#key').fill(key);
    const [status, requestId, minute, day, body = ''] = await tryCall('createVideo');
    expect(status).to.equal('202');
    expect(requestId).to.match(/^x-request-id: req_\w{26}$/);
    expect(minute).to.equal('x-ratelimit-remaining: 59');
    expect(day).to.equal('x-ratelimit-daily-remaining: 498');
    const { id } = JSON.parse(body) as { id: string };
    expect(created).to.equal(1);
    expect(sent.map((one) => [one.method(), one.url()])).to.deep.equal([['POST', `${gateway!.base}/v1/videos`]]);
    expect(await sent[0]?.headerValue('authorization')).to.equal(`Bearer ${key}`);
    expect(await page.locator('#getVideo .id').inputValue(), 'the id is filled in').to.equal(id);
  });

  it('a rejected request from the page shows the error unchanged', async () => {
    const [status, , body = ''] = await tryCall('createVideo');
    expect(status).to.equal('401');
    expect(JSON.parse(body)).to.have.nested.property('error.code', 'missing_credentials');
    expect(await tryCall('getVideo')).to.deep.equal(['Fill in the id of a video: vid_…']);
    expect(created).to.equal(0);
  });

  it('a deletion from the page is sent only once the reader has confirmed it', async () => {
    await page.locator('#key').fill(key);
    await page.locator('#deleteVideo summary').first().click();
    await page.locator('#deleteVideo .id').fill(`vid_01${'a'.repeat(24)}`);
    page.once('dialog', (dialog) => void dialog.dismiss());
    expect(await tryCall('deleteVideo')).to.deep.equal([]);
    expect(sent).to.have.length(0);
    page.once('dialog', (dialog) => void dialog.accept());
    const [status] = await tryCall('deleteVideo');
    expect(status).to.equal('200');
    expect(sent.map((one) => one.method())).to.deep.equal(['DELETE']);
  });

  it('the key is neither stored nor part of any address, and gone after a reload', async () => {
    await page.locator('#key').fill(key);
    await tryCall('createVideo');
    const kept = await page.evaluate(() =>
      JSON.stringify([
        location.href,
        document.cookie,
        Object.entries(localStorage),
        Object.entries(sessionStorage),
        history.state,
      ]),
    );
    expect(kept).not.to.include('svc_live');
    expect(sent.map((one) => one.url()).join()).not.to.include('svc_live');
    expect(await page.locator('body').textContent()).not.to.include(key);
    expect(JSON.stringify(gateway!.lines), 'the log').not.to.include(key);
    await page.reload();
    expect(await page.locator('#key').inputValue()).to.equal('');
    expect(await page.locator('form, [name]:not(meta)').count(), 'what a browser would submit').to.equal(0);
  });

  it('texts of a response are shown as texts', async () => {
    const hostile = '<img src=x onerror="document.title=1">';
    await page.route('**/v1/videos', (route) =>
      route.fulfill({ status: 400, body: JSON.stringify({ error: hostile }) }),
    );
    expect((await tryCall('createVideo')).at(-1)).to.include('<img src=x');
    expect(await page.locator('.outcome img').count()).to.equal(0);
  });
});
