import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { deadLetters as contract } from '@vds/proto';
import type { DeadLetterAdminClient } from '@vds/proto/generated/vds/common/v1/DeadLetterAdmin.ts';
import { on, type Bus } from '../../src/bus/bus.ts';
import { deadLetterAdmin } from '../../src/bus/dead-letters-rpc.ts';
import { AppError } from '../../src/errors.ts';
import { rpcClient } from '../../src/rpc/rpc-client.ts';
import { serveRpc } from '../../src/rpc/rpc.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { until } from '@vds/testkit/until';
import { noteEvent, quiet, useBuses, type Note } from '../fixtures.ts';

const note = noteEvent();

describe('dead letters', () => {
  const { fixture, open } = useBuses();
  let consumer: Bus;
  let isBroken: boolean;
  let handled: { text: string; id: string }[];

  beforeEach(async () => {
    [isBroken, handled] = [true, []];
    consumer = await open('beta');
    consumer.subscribe([
      on(note, async ({ text }: Note, { id }) => {
        if (isBroken) throw new AppError('INVALID_ARGUMENT', `cannot use ${text}`);
        handled.push({ text, id });
      }),
    ]);
  });
  const listed = async () =>
    (await consumer.deadLetters.list(0, 100)).map(({ subject, reason, messageId }) => [subject, reason, messageId]);

  it('a request that is published again and always rejected is one dead letter, the newest', async () => {
    const { owner } = fixture();
    for (let n = 1; n <= 5; n++) await owner.publish(note, { text: 'same' }, `request-${n}`);
    await owner.publish(note, { text: 'other' }, 'other-1');
    await until(async () => (await listed()).some(([, , id]) => id === 'request-5'), { what: 'the fifth' });
    await until(async () => (await listed()).length === 2, { what: 'one dead letter each' });
    expect(await listed()).to.deep.include([note.subject, 'cannot use other', 'other-1']);
  });

  it('a replay is handled only by the same service, and removes the dead letter', async () => {
    const { owner } = fixture();
    const elsewhere: string[] = [];
    const gamma = await open('gamma');
    gamma.subscribe([on(note, async ({ text }) => void elsewhere.push(text))]);
    await owner.publish(note, { text: 'x' }, 'id-1');
    const [letter] = await until(
      async () => {
        const letters = await consumer.deadLetters.list(0, 10);
        return letters.length === 1 && letters;
      },
      { what: 'the dead letter' },
    );
    const sequence = letter?.sequence ?? expect.fail('no dead letter');
    const failure: unknown = await consumer.deadLetters.replay(sequence).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(AppError).with.property('message', 'the message fails again: cannot use x');
    expect(await consumer.deadLetters.list(0, 10)).to.have.length(1);
    isBroken = false;
    await consumer.deadLetters.replay(sequence);
    expect(handled).to.deep.equal([{ text: 'x', id: 'id-1' }]);
    expect(await consumer.deadLetters.list(0, 10)).to.deep.equal([]);
    await until(() => elsewhere.length > 0, { what: 'the message at the other service' });
    expect(elsewhere).to.deep.equal(['x']);
    const again: unknown = await consumer.deadLetters.replay(sequence).catch((error: unknown) => error);
    expect(again).to.be.instanceOf(AppError).with.property('code', 'NOT_FOUND');
  });

  it('operators list, show and replay them over RPC, and nobody else may', async () => {
    const { owner } = fixture();
    const digest = (token: string): string => createHash('sha256').update(token).digest('hex');
    const tls = { tlsCertFile: undefined, tlsKeyFile: undefined, tlsCaFile: undefined };
    const rpcCallers = ['vdsctl', 'catalog'].map((name) => `${name}=${digest(name)}`);
    const server = await serveRpc({
      ...{ port: 0, log: quiet, metrics: createMetrics('beta'), config: { rpcCallers, ...tls } },
      services: [deadLetterAdmin(consumer, quiet)],
    });
    const clientOf = (rpcToken: string) =>
      rpcClient<DeadLetterAdminClient>(contract.DeadLetterAdmin, {
        target: `127.0.0.1:${server.port}`,
        config: { rpcToken, ...tls },
      });
    const [operator, other] = [clientOf('vdsctl'), clientOf('catalog')];
    try {
      await owner.publish(note, { text: 'x' }, 'id-1');
      const found = await until(
        async () => (await operator.ListDeadLetters({ pageSize: 10, cursor: '' })).deadLetters[0],
        { what: 'the dead letter' },
      );
      expect(found).to.include({ subject: note.subject, reason: 'cannot use x', messageId: 'id-1' });
      const by = { sequence: found.sequence, actor: 'sam', reason: 'mended' };
      const codeOf = (call: Promise<unknown>) =>
        call.then(
          () => 'OK',
          (error: AppError) => error.code,
        );
      expect(await codeOf(other.ReplayDeadLetter(by))).to.equal('PERMISSION_DENIED');
      expect(await codeOf(operator.ReplayDeadLetter(by))).to.equal('FAILED_PRECONDITION');
      isBroken = false;
      expect(await codeOf(operator.ReplayDeadLetter(by))).to.equal('OK');
      expect(await codeOf(operator.ShowDeadLetter({ sequence: found.sequence }))).to.equal('NOT_FOUND');
    } finally {
      await Promise.all([operator.close(), other.close()]);
      await server.close();
    }
  });

  it('pages continue after the last dead letter of the previous page', async () => {
    const { owner } = fixture();
    for (let n = 0; n < 7; n++) await owner.publish(note, { text: `${n}` }, `id-${n}`);
    await until(async () => (await listed()).length === 7, { what: 'seven dead letters' });
    const first = await consumer.deadLetters.list(0, 4);
    const second = await consumer.deadLetters.list(first.at(-1)?.sequence ?? 0, 4);
    const ids = [...first, ...second].map(({ messageId }) => messageId);
    expect(ids.toSorted()).to.deep.equal(Array.from({ length: 7 }, (_, n) => `id-${n}`));
  });
});
