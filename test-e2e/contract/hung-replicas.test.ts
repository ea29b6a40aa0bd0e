/** One of two replicas of auth and of catalog hangs: its connections stay open, and it replies to nothing. */
import type { StackProcess } from '@vds/testkit/stack/processes';
import { expect } from 'chai';
import type { ContractStack } from '../harness/host/contract-stack.ts';
import { publishedContract } from '../harness/host/published-contract.ts';
import { send, submission, unknownVideo } from '../probes/timed-request.ts';

const REQUESTS = 30;

describe('a partner while one of two replicas hangs', function () {
  this.timeout(120_000);
  let contract: ContractStack;
  const stopped: StackProcess[] = [];
  /** Never 0, which means the whole group of this process. */
  const signalTo = (signal: 'SIGSTOP' | 'SIGCONT', { name, pid }: StackProcess): void => {
    process.kill(pid() ?? expect.fail(`${name} does not run`), signal);
  };
  const resume = (): void => stopped.splice(0).forEach((replica) => signalTo('SIGCONT', replica));
  before(async () => {
    contract = await publishedContract();
  });
  after(resume);

  it('a partner is answered as if all replicas replied, and counted once for each request', async () => {
    const { gateways, newKey, newPublisher, stack } = contract;
    const { secretKey } = await newKey(await newPublisher('Hung'), { minuteLimit: 1_000, dailyLimit: 1_000 });
    const ask = (n: number) => send(gateways[n % 2] ?? '', secretKey, n % 3 === 0 ? submission : unknownVideo);
    const first = await ask(1);
    for (const name of ['auth-2', 'catalog-2']) {
      const replica = stack.process(name);
      signalTo('SIGSTOP', replica);
      stopped.push(replica);
    }
    const answers = await Promise.all(Array.from({ length: REQUESTS }, (_, n) => ask(n)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses).to.deep.equal(answers.map((_, n) => (n % 3 === 0 ? 202 : 404)));
    resume();
    const last = await ask(1);
    expect(Number(first.minute) - Number(last.minute)).to.equal(REQUESTS + 1);
    const again = await send(gateways[0] ?? '', secretKey, submission);
    expect(Number(again.daily)).to.equal(1_000 - REQUESTS / 3 - 1);
  });
});
