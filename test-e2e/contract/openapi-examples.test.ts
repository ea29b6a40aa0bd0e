/** Every example in openapi.yaml is true: requests are answered as documented, and responses match their examples. */
import { expect } from 'chai';
import { resolve, violationsOf, type Seen } from '@vds/proto/testing/contract-check';
import { openContractStack, type ContractStack } from '../harness/host/contract-stack.ts';
import { exampleStates, operations, requests } from '../fixtures/example-states.ts';
import { startFakeWorkers, type FakeWorkers } from '../fakes/fake-workers.ts';

type Words = {
  readonly status?: string;
  readonly message?: string;
  readonly error?: { code: string; message: string };
};

/** Names and types of everything in a value; for a list, the shapes of its items. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return [...new Set(value.map((item) => JSON.stringify(shapeOf(item))))].toSorted();
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  const names = Object.keys(value).toSorted();
  return Object.fromEntries(names.map((name) => [name, shapeOf((value as Record<string, unknown>)[name])]));
}
/** Texts that an example must match exactly. */
function wordsOf(body: unknown): unknown {
  const { status, message, error } = body as Words;
  return { status, message, code: error?.code, sentence: error?.message };
}

const examples = operations.flatMap(({ id, operation }) =>
  Object.entries(operation.responses).flatMap(([status, answer]) =>
    Object.entries(resolve(answer).value.content?.['application/json']?.examples ?? {}).map(([name, { value }]) => ({
      id,
      status,
      name,
      value,
    })),
  ),
);
function isOurFault({ status }: { status: string }): boolean {
  return status === '500';
}

describe('the examples of the contract', () => {
  let contract: ContractStack;
  let workers: FakeWorkers;
  let states: Awaited<ReturnType<typeof exampleStates>>;
  before(async function () {
    this.timeout(120_000);
    contract = await openContractStack({ suffix: 'said', replicas: 1 });
    workers = await startFakeWorkers(contract.stack, { turn: () => 'hold' });
    states = await exampleStates(contract, workers);
  });
  after(async function () {
    this.timeout(120_000);
    await workers.close();
    await contract.close();
  });

  it('exist for every answer of every operation', () => {
    const shown = new Set(examples.map(({ id, status }) => `${id} ${status}`));
    for (const { id, operation } of operations)
      for (const status of Object.keys(operation.responses))
        expect(shown, `${id} ${status}`).to.include(`${id} ${status}`);
  });

  for (const [name, value] of Object.entries(requests))
    it(`are accepted as requests: ${name}`, async () => {
      expect(violationsOf('IngestRequest', value)).to.deep.equal([]);
      const seen = await states.submit(value);
      expect(seen.status).to.equal(202);
    });

  const check = (example: (typeof examples)[number]): void =>
    void it(`say what is answered: ${example.id} ${example.status} ${example.name}`, async function () {
      this.timeout(120_000);
      const state = states.sceneOf(example.id, example.status, example.name);
      if (!state) throw new Error('nobody knows the situation of this example');
      const seen: Seen = await state();
      expect(String(seen.status)).to.equal(example.status);
      expect(wordsOf(seen.body)).to.deep.equal(wordsOf(example.value));
      expect(shapeOf(seen.body)).to.deep.equal(shapeOf(example.value));
    });
  examples.filter((example) => !isOurFault(example)).forEach(check);

  describe('of faults on our side', () => {
    before(() => states.endCatalog());
    examples.filter(isOurFault).forEach(check);
  });
});
