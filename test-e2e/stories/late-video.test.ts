/** An operator asks why a video is late: one command, against the services as they run. */
import { setTimeout as pause } from 'node:timers/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { until } from '@vds/testkit/until';
import { vdsctl } from '@vds/vdsctl/inbound/vdsctl';
import { bare } from '../harness/apps-client.ts';
import type { HostTarget } from '../harness/host/host.ts';
import type { Partner } from '../harness/partner-client.ts';
import { theHost } from '../harness/shared-target.ts';

describe('a late video', () => {
  let target: HostTarget;
  let partner: Partner;
  before(async function () {
    this.timeout(120_000);
    target = await theHost(this);
    partner = await target.newPartner('Overdue');
  });

  /** The command's output. */
  async function show(id: string, ...more: readonly string[]): Promise<string> {
    let text = '';
    const write = (part: string) => void (text += part);
    const argv = ['video', 'show', id, ...more, '--env', join(target.stack.dir, 'vdsctl.env')];
    expect(await vdsctl(argv, { environment: {}, out: write, err: write }), text).to.equal(0);
    return text;
  }

  it('vdsctl video show says of a source that fails: host, last error and next try, and at the end the failure', async function () {
    this.timeout(120_000);
    target.origin.route('/unavailable.mp4', async (_request, response) => {
      await pause(250);
      response.status(503).end();
    });
    const url = target.origin.url('/unavailable.mp4');
    const id = await partner.submit(url);
    const failing = async () => {
      const text = await show(id);
      return /is tried again in|fetch is running/.test(text) && text.includes('http_status 503') && text;
    };
    const text = await until(failing, { capMs: 60_000, everyMs: 50, what: 'the error of the first try' });
    expect(text)
      .to.match(new RegExp(`^video +${bare(id)}\n`))
      .and.match(/^state +processing$/m)
      .and.match(/^waits +fetch /m)
      .and.match(/^ingest +fetch\/source +(ready|running \d+ %) +0$/m)
      .and.match(new RegExp(`^source host +${new URL(url).host}$`, 'm'));
    // A long line is continued below.
    expect(text.replaceAll(/\s+/g, ' ')).to.match(/ try \d: the host cannot serve the file now \(http_status 503\)/);
    for (const line of text.split('\n')) expect(line.length, line).to.be.at.most(80);

    await partner.settled(id);
    expect(await show(id))
      .to.match(/^state +failed$/m)
      .and.match(/^failure +source_server_error in fetch \(http_status 503\): /m)
      .and.not.match(/^waits /m);
    const timeline = await show(id, '--timeline');
    expect(timeline, timeline)
      .to.match(/^fetch\/source +1 +\d+\.\d +\d+\.\d +– +– +\d+\.\d +·*-*f+-*$/m)
      .and.match(/^1 = ingest on \S+ process \d+$/m);
  });
});
