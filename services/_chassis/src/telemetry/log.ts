/** Structured logs (pino) with the trace id and the fields of the current context, such as ids. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { trace } from '@opentelemetry/api';
import { pino, type DestinationStream, type Logger } from 'pino';

export type { Logger } from 'pino';

const fields = new AsyncLocalStorage<Readonly<Record<string, string>>>();

/** Adds `more` to the fields of every line logged within `work`. */
export function withLogFields<T>(more: Readonly<Record<string, string>>, work: () => T): T {
  return fields.run({ ...fields.getStore(), ...more }, work);
}

/**
 * A JSON logger on standard output.
 * @param service a field of every line
 * @param level pino's level, such as `info`
 */
export function createLogger(service: string, level: string, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: { service },
      messageKey: 'msg',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      mixin: contextFields,
      redact: {
        paths: ['authorization', 'password', 'token', 'secret', 'key_secret'].flatMap((name) => [name, `*.${name}`]),
        censor: '[redacted]',
      },
    },
    destination ?? pino.destination({ dest: 1, sync: false }),
  );
}

function contextFields(): Record<string, string> {
  const span = trace.getActiveSpan()?.spanContext();
  return { ...fields.getStore(), ...(span && { trace_id: span.traceId, span_id: span.spanId }) };
}
