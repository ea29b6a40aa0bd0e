/** `vdsctl publisher budget`: what the operator allows a publisher beyond the limits of its keys. */
import { InvalidArgumentError, type Command } from 'commander';
import type { BudgetsOut } from '@vds/proto/generated/vds/catalog/v1/Budgets.ts';
import type { SetBudgetsRequest } from '@vds/proto/generated/vds/catalog/v1/SetBudgetsRequest.ts';
import { AppError } from '@vds/chassis/errors';
import type { AdminClients } from '../outbound/admin-clients.ts';
import { facts } from './output.ts';
import {
  withClients,
  withAuditOptions,
  auditFields,
  dryRunOutput,
  type Output,
  type WriteOptions,
  type CliIo,
} from './verb.ts';

type BudgetOptions = WriteOptions & {
  readonly mediaMinutes?: number;
  readonly fetchedBytes?: number;
  readonly storedBytes?: number;
};

const NONE = 'none';
const UNITS: Readonly<Record<string, number>> = { '': 1, MB: 1e6, GB: 1e9, TB: 1e12 };

/** Adds the verb to the group `publisher`. */
export function addBudgetVerb(publisher: Command, io: CliIo): void {
  withAuditOptions(publisher.command('budget'))
    .description(`set budgets of a publisher, effective at once; '${NONE}' removes one`)
    .argument('<publisher id>')
    .option('--media-minutes <minutes>', 'minutes of video a day (UTC)', parseCount)
    .option('--fetched-bytes <bytes>', 'bytes of sources a day (UTC), such as 500GB', parseBytes)
    .option('--stored-bytes <bytes>', 'bytes of encoded videos, such as 2TB', parseBytes)
    .action(
      withClients<BudgetOptions>(io, async (clients, { dryRun, ...options }, publisherId = '') => {
        const { mediaMinutes, fetchedBytes, storedBytes } = options;
        const budgets = {
          ...(mediaMinutes !== undefined && { mediaMinutes }),
          ...(fetchedBytes !== undefined && { fetchedBytes }),
          ...(storedBytes !== undefined && { storedBytes }),
        };
        if (Object.keys(budgets).length === 0)
          throw new AppError('INVALID_ARGUMENT', 'give --media-minutes, --fetched-bytes or --stored-bytes');
        return setBudgets(clients, { publisherId, ...budgets, ...auditFields(io, options) }, dryRun === true);
      }),
    );
}

/** 0: none. */
function parseCount(argument: string): number {
  return argument === NONE ? 0 : checkCount(Number(/^\d+$/.test(argument) ? argument : Number.NaN));
}

function parseBytes(argument: string): number {
  if (argument === NONE) return 0;
  const [, amount = '', unit = ''] = /^(\d+)(MB|GB|TB)?$/.exec(argument) ?? [];
  return checkCount(amount === '' ? Number.NaN : Number(amount) * (UNITS[unit] ?? Number.NaN));
}

function checkCount(count: number): number {
  if (!Number.isSafeInteger(count) || count < 1)
    throw new InvalidArgumentError(`It must be a whole number from 1, or '${NONE}'; bytes may end with MB, GB or TB.`);
  return count;
}

async function setBudgets(
  clients: AdminClients,
  request: SetBudgetsRequest & { readonly publisherId: string },
  dryRun: boolean,
): Promise<Output> {
  // Only auth knows which publishers there are.
  const { publisherId } = request;
  await clients.keys().GetPublisher({ publisherId });
  const { description: was } = await clients.videos().GetBudgets({ publisherId });
  const budgets = await clients.videos().SetBudgets({ ...request, validateOnly: dryRun });
  if (!dryRun) return { json: budgets, text: budgetFacts(budgets) };
  const { description: became } = budgets;
  return dryRunOutput(`change the budgets of publisher ${publisherId} from ${was} to ${became}`, { was, became });
}

/** Each budget with what is used of it. */
export function budgetFacts({ mediaMinutes, fetchedBytes, storedBytes, used }: BudgetsOut): string {
  const minutes = Math.floor((used?.mediaMs ?? 0) / 6_000) / 10;
  return facts([
    ['minutes of video today', ofBudget(minutes, mediaMinutes)],
    ['bytes fetched today', ofBudget(used?.fetchedBytes ?? 0, fetchedBytes)],
    ['bytes stored', ofBudget(used?.storedBytes ?? 0, storedBytes)],
  ]);
}

function ofBudget(used: number, budget: number | undefined): string {
  return `${used} of ${budget ?? 'any number'}`;
}
