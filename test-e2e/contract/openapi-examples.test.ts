/** Every example in openapi.yaml is true: requests are answered as documented, and responses match their examples. */
import { expect } from 'chai';
import { resolve, violationsOf, type Seen } from '@vds/proto/testing/contract-check';
import { openContractStack, type ContractStack } from '../harness/host/contract-stack.ts';
import { exampleStates, operations, requests } from '../fixtures/example-states.ts';
import { startFakeWorkers, type FakeWorkers } from '../fakes/fake-workers.ts';

type FixedTexts = {
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
function fixedTextsOf(body: unknown): unknown {
  const { status, message, error } = body as FixedTexts;
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
    contract = await openContractStack({ suffix: 'examples', replicas: 1 });
    workers = await startFakeWorkers(contract.stack, { reply: () => 'hold' });
    states = await exampleStates(contract, workers);
  });
  after(async function () {
    this.timeout(120_000);
    await workers.close();
    await contract.close();
  });

  it('every response of every operation has an example', () => {
    const shown = new Set(examples.map(({ id, status }) => `${id} ${status}`));
    for (const { id, operation } of operations)
      // A 304 has no body.
      for (const status of Object.keys(operation.responses).filter((one) => one !== '304'))
        expect(shown, `${id} ${status}`).to.include(`${id} ${status}`);
  });

  for (const [name, value] of Object.entries(requests))
    it(`the example request ${name} is accepted`, async () => {
      expect(violationsOf('IngestRequest', value)).to.deep.equal([]);
      const seen = await states.submit(value);
      expect(seen.status).to.equal(202);
    });

  const check = (example: (typeof examples)[number]): void =>
    void it(`the example ${example.name} of ${example.id} ${example.status} equals the actual response`, async function () {
      this.timeout(120_000);
      const state = states.stateOf(example.id, example.status, example.name);
      if (!state) throw new Error('this example has no state');
      const seen: Seen = await state();
      expect(String(seen.status)).to.equal(example.status);
      expect(fixedTextsOf(seen.body)).to.deep.equal(fixedTextsOf(example.value));
      expect(shapeOf(seen.body)).to.deep.equal(shapeOf(example.value));
    });
  examples.filter((example) => !isOurFault(example)).forEach(check);

  describe('the examples of internal errors', () => {
    before(() => states.endCatalog());
    examples.filter(isOurFault).forEach(check);
  });
});
