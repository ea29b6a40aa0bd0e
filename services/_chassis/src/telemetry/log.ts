/** Structured logs (pino) that carry the trace and whatever facts the current work was given, such as ids. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { trace } from '@opentelemetry/api';
import { pino, type DestinationStream, type Logger } from 'pino';

export type { Logger } from 'pino';

const facts = new AsyncLocalStorage<Readonly<Record<string, string>>>();

/** Runs `work` so that every log line within it carries `more` beside what is carried already. */
export function withLogFacts<T>(more: Readonly<Record<string, string>>, work: () => T): T {
  return facts.run({ ...facts.getStore(), ...more }, work);
}

/**
 * A JSON logger on standard output.
 * @param service name that every line carries
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
      mixin: currentFacts,
      redact: {
        paths: [
          'authorization',
          'password',
          'token',
          'secret',
          'key_secret',
          '*.authorization',
          '*.password',
          '*.token',
          '*.secret',
        ],
        censor: '[redacted]',
      },
    },
    destination ?? pino.destination({ dest: 1, sync: false }),
  );
}

/** What every log line of the current work carries. */
function currentFacts(): Record<string, string> {
  const span = trace.getActiveSpan()?.spanContext();
  return { ...facts.getStore(), ...(span && { trace_id: span.traceId, span_id: span.spanId }) };
}
