/** The text of a key appears only at its holder, however it was used; and the search that proves it can find one. */
import { appendFileSync } from 'node:fs';
import { expect } from 'chai';
import { readServers } from '@vds/testkit/servers/servers-file';
import { until } from '@vds/testkit/until';
import { bare } from '../../harness/apps-client.ts';
import { openContractStack, type ContractStack } from '../../harness/host/contract-stack.ts';
import {
  foundIn,
  logsOf,
  encodingsOf,
  metricsOf,
  processesOf,
  tablesOf,
  type Places,
} from '../../probes/secret-scan.ts';
import { sendBytes, usesOf, withOtherSecret } from '../../fixtures/key-uses.ts';
import { startCollector, type Collector } from '../../fakes/otlp-collector.ts';
import { openCuttingProxy, type CuttingProxy } from '@vds/testkit/harness/cutting-proxy';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const source = 'https://example.com/a.mp4';

describe('the text of a key', function () {
  this.timeout(300_000);

  let collector: Collector;
  let bus: CuttingProxy;
  let contract: ContractStack;
  let publisherId: string;
  /** Every key that ever existed, including rotated and revoked ones. */
  const keys: string[] = [];
  const answers: Record<string, string> = {};

  before(async () => {
    [collector, bus] = await Promise.all([
      startCollector(),
      openCuttingProxy(readServers().nats.url, { records: true }),
    ]);
    const verbose = { LOG_LEVEL: 'trace', ...collector.environment };
    const NATS_URL = `nats://127.0.0.1:${bus.port}`;
    const env = { gateway: verbose, auth: verbose, catalog: { ...verbose, NATS_URL } };
    contract = await openContractStack({ suffix: 'secret', replicas: 1, env });
    publisherId = await contract.newPublisher('Secrecy');
  });
  after(async () => {
    await contract?.close();
    await Promise.all([collector?.close(), bus?.close()]);
  });

  const logsAndEvents = (): Places => ({ ...logsOf(contract.stack), traces: collector.text(), events: bus.sent() });
  const everywhere = async (): Promise<Places> => ({
    ...logsAndEvents(),
    ...(await tablesOf(contract.stack)),
    ...(await metricsOf(contract.stack)),
    ...processesOf(contract.stack),
  });
  const keyEncodings = (): string[] => [...keys, ...keys.map(withOtherSecret)].flatMap(encodingsOf);
  const newKey = async () => {
    const { key, secretKey } = await contract.newKey(publisherId);
    keys.push(secretKey);
    return { id: key.id, secretKey };
  };
  /** Uses a key in every way and returns the statuses of the responses. */
  const useAll = async (secretKey: string, when: string, which = /./): Promise<Set<string>> => {
    const statuses = new Set<string>();
    for (const { what, bytes } of usesOf(secretKey).filter((use) => which.test(use.what))) {
      const answer = await sendBytes(contract.gateways[0] ?? '', bytes);
      answers[`answer to ${what}, ${when}`] = answer;
      statuses.add(answer.slice(9, 12));
    }
    return statuses;
  };

  it('a used key is in no response, log, trace, event, table, metric, argument or environment', async () => {
    const { id, secretKey } = await newKey();
    expect(await useAll(secretKey, 'in force')).to.include.all.keys('202', '400', '401', '404');
    await contract.keys.SetLimits({ keyId: id, minuteLimit: 1 });
    expect(await useAll(secretKey, 'over its limit')).to.include.all.keys('400', '401', '429');
    const rotated = await contract.keys.RotateKey({ keyId: id });
    keys.push(rotated.secretKey);
    await useAll(secretKey, 'rotated');
    await contract.keys.RevokeKey({ keyId: rotated.key?.id ?? '' });
    await useAll(rotated.secretKey, 'revoked');
    console.log(`      ${Object.keys(answers).length} uses, ${Object.keys(await everywhere()).length} places`);
    expect(foundIn({ ...answers, ...(await everywhere()) }, keyEncodings())).to.deep.equal([]);
  });

  it('a key that a partner writes into a title is stored only there, and in no log or event', async () => {
    const { secretKey } = await newKey();
    keys.pop();
    const partner = contract.partner(secretKey);
    const title = `My key is ${secretKey}`;
    const id = await partner.submit(source, { title });
    expect((await partner.get(id)).title).to.equal(title);
    expect(foundIn(await everywhere(), encodingsOf(secretKey))).to.deep.equal(['database catalog public.videos title']);
  });

  it('the secret scan finds the control in every place, and a planted key', async () => {
    const { id: keyId, secretKey } = await newKey();
    const control = await contract.partner(secretKey).submit(source, { title: 'Title of the control' });
    const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
    const response = await fetch(`${contract.gateways[0]}/v1/videos/${control}`, { headers: { traceparent } });
    const requestId = response.headers.get('x-request-id') ?? '';
    await until(() => collector.text().includes(traceId), { what: 'the spans of a request' });
    await until(() => bus.sent().includes(bare(control)), { what: 'the event of the video' });
    const all = await everywhere();
    expect(foundIn(all, [requestId])).to.deep.equal(['log gateway.log']);
    // Linked, not continued: logs have our own trace id.
    expect(foundIn(all, [traceId])).to.deep.equal(['traces']);
    expect(foundIn(all, [bare(control)])).to.include.members(['database catalog public.videos id', 'events']);
    expect(foundIn(all, ['Title of the control'])).to.deep.equal(['database catalog public.videos title']);
    expect(foundIn(all, [keyId])).to.include.members(['database auth public.api_keys id', 'log auth.log']);
    expect(foundIn(all, ['vds_http_seconds_count'])).to.deep.equal(['metrics gateway']);
    expect(foundIn(all, ['src/main.ts\0', 'LOG_LEVEL=trace\0'])).to.have.length(6);
    for (const form of [secretKey.slice(0, 55), btoa(`Bearer ${secretKey}`), Buffer.from(secretKey).toString('hex')])
      expect(foundIn({ place: `x${form}x` }, encodingsOf(secretKey)), form).to.deep.equal(['place']);
    appendFileSync(contract.stack.process('catalog').logFile, `{"msg":"${secretKey.slice(-32)}"}\n`);
    expect(foundIn(logsAndEvents(), encodingsOf(secretKey))).to.deep.equal(['log catalog.log']);
    keys.pop();
  });

  it('a key is in no log or trace of an internal error', async () => {
    const { secretKey } = await newKey();
    const some = /a good|in place of an id|unknown field/;
    await contract.stack.process('catalog').kill();
    expect(await useAll(secretKey, 'without catalog', some)).to.include.all.keys('404', '500');
    await contract.stack.process('auth').kill();
    expect(await useAll(secretKey, 'without auth', some)).to.deep.equal(new Set(['500']));
    expect(logsAndEvents()['log gateway.log']).to.contain('request failed');
    expect(foundIn({ ...answers, ...logsAndEvents() }, keyEncodings())).to.deep.equal([]);
  });
});
