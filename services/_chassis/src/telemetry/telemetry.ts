/**
 * OpenTelemetry traces across HTTP, gRPC and NATS. Trace ids always exist, so that logs can be correlated; spans are
 * exported, and the whole SDK is loaded, only if an OTLP endpoint is configured.
 */
import {
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Link,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { AlwaysOffSampler, TracerProvider } from '@opentelemetry/sdk-trace';
import { messageOf } from '../errors.ts';

export { SpanKind } from '@opentelemetry/api';

export type Telemetry = { readonly close: () => Promise<void> };

/**
 * Starts tracing for the process.
 * @param endpoint OTLP endpoint; the SDK reads the other standard `OTEL_*` variables itself
 */
export async function startTelemetry(service: string, endpoint: string | undefined): Promise<Telemetry> {
  if (endpoint !== undefined) return exportSpans(service);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  // Nobody gets these spans: they have ids and record nothing.
  const provider = new TracerProvider({ sampler: new AlwaysOffSampler() });
  trace.setGlobalTracerProvider(provider);
  return { close: () => provider.shutdown() };
}

async function exportSpans(service: string): Promise<Telemetry> {
  const { NodeSDK } = await import('@opentelemetry/sdk-node');
  const sdk = new NodeSDK({ serviceName: service, textMapPropagator: new W3CTraceContextPropagator() });
  sdk.start();
  return { close: () => sdk.shutdown() };
}

/** The W3C `traceparent` of the current span; undefined outside of one. */
export function currentTraceparent(): string | undefined {
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  return carrier['traceparent'];
}

/** Like `span`, as a child of a `traceparent` from a request, message or row; a new trace if there is none. */
export function inTrace<T>(
  traceparent: string | undefined | null,
  name: string,
  attributes: Attributes,
  work: () => Promise<T>,
  kind: SpanKind = SpanKind.CONSUMER,
): Promise<T> {
  const parent = traceparent ? propagation.extract(ROOT_CONTEXT, { traceparent }) : ROOT_CONTEXT;
  return context.with(parent, () => span(name, attributes, work, kind));
}

/**
 * Like `span`, as the root of a new trace that links the `traceparent` of a stranger: partners and viewers choose neither
 * our trace ids nor what is sampled (design: a partner's traceparent is linked, never continued).
 */
export function inLinkedTrace<T>(
  traceparent: string | undefined,
  name: string,
  attributes: Attributes,
  work: () => Promise<T>,
  kind: SpanKind = SpanKind.SERVER,
): Promise<T> {
  const given = traceparent && trace.getSpanContext(propagation.extract(ROOT_CONTEXT, { traceparent }));
  return context.with(ROOT_CONTEXT, () => span(name, attributes, work, kind, given ? [{ context: given }] : []));
}

/** Runs `work` in a new span; an error marks the span as failed and is rethrown. */
export function span<T>(
  name: string,
  attributes: Attributes,
  work: () => Promise<T>,
  kind: SpanKind = SpanKind.INTERNAL,
  links: Link[] = [],
): Promise<T> {
  return trace.getTracer('vds').startActiveSpan(name, { attributes, kind, links }, async (current) => {
    try {
      return await work();
    } catch (error) {
      current.setStatus({ code: SpanStatusCode.ERROR, message: messageOf(error) });
      throw error;
    } finally {
      current.end();
    }
  });
}
