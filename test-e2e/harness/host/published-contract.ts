/** A stack whose fake workers complete everything at once, for the tests of what partners copy from the contract's pages. */
import { startFakeWorkers } from '../../fakes/fake-workers.ts';
import { shared } from '../shared.ts';
import { openContractStack, type ContractStack } from './contract-stack.ts';

/** The stack, of two replicas. */
export const publishedContract: () => Promise<ContractStack> = shared(open, ({ close }) => close());

async function open(): Promise<ContractStack> {
  const contract = await openContractStack({ suffix: 'pages', replicas: 2 });
  const workers = await startFakeWorkers(contract.stack);
  return { ...contract, close: () => workers.close().then(contract.close) };
}
