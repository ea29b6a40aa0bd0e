/** gRPC for operators (vdsctl): the service's dead letters. */
import { deadLetters as contract } from '@vds/proto';
import { events, type EventType } from '@vds/proto/events';
import type { DeadLetterAdminHandlers } from '@vds/proto/generated/vds/common/v1/DeadLetterAdmin.ts';
import type { DeadLetter as DeadLetterMessage } from '@vds/proto/generated/vds/common/v1/DeadLetter.ts';
import type { DeadLetter, DeadLetters } from './dead-letters.ts';
import { checkBy, numberOfCursor, pageSizeOf } from '../database/audit.ts';
import { service, type Served } from '../rpc/rpc.ts';
import type { Logger } from '../telemetry/log.ts';

const operator = ['vdsctl'];

/** Served on the admin RPC port of every service that consumes events through durables. */
export function deadLetterAdmin({ deadLetters }: { readonly deadLetters: DeadLetters }, log: Logger): Served {
  return service<DeadLetterAdminHandlers>(
    contract.DeadLetterAdmin.service,
    { ListDeadLetters: operator, ShowDeadLetter: operator, ReplayDeadLetter: operator },
    {
      ListDeadLetters: async ({ pageSize, cursor }) => {
        const size = pageSizeOf(pageSize);
        const found = await deadLetters.list(numberOfCursor(cursor), size + 1);
        const page = found.slice(0, size);
        const nextCursor = found.length > size ? String(page.at(-1)?.sequence ?? '') : '';
        return { deadLetters: page.map(messageFor), nextCursor };
      },
      ShowDeadLetter: async ({ sequence }) => withPayload(await deadLetters.get(sequence)),
      ReplayDeadLetter: async ({ sequence, ...by }, call) => {
        const { actor, reason } = checkBy(by, call);
        const letter = await deadLetters.replay(sequence);
        const { subject, messageId: message_id } = letter;
        log.info({ subject, message_id, actor, reason }, 'dead letter replayed by an operator');
        return withPayload(letter);
      },
    },
  );
}

function messageFor({ sequence, subject, reason, messageId, at }: DeadLetter): DeadLetterMessage {
  return { sequence, subject, reason, messageId, deadLetteredAt: at.toISOString() };
}

function withPayload(letter: DeadLetter): DeadLetterMessage {
  return { ...messageFor(letter), payload: payloadOf(letter) };
}

/** The payload as JSON, decoded as its event. */
function payloadOf({ subject, data }: DeadLetter): string {
  const table: readonly EventType<never, unknown>[] = Object.values(events);
  try {
    return JSON.stringify(table.find((event) => event.subject === subject)?.decode(data)) ?? '';
  } catch {
    return '';
  }
}
