/** The values of a release that define who may reach what: the chart's, overridden by the release's own. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Release } from '../release.ts';
import type { Peer, Rule } from './policy.ts';

export type Server = { readonly peers?: readonly Peer[]; readonly peerPorts?: readonly number[] };
/** What one component has of its own; the shared ones apply where it is empty. */
type OwnPostgres = Server & { readonly host?: string; readonly port?: number };
/** A component's block; `defaults` has the same keys. */
export type ComponentSettings = {
  readonly ports?: readonly string[];
  readonly peers?: readonly string[];
  readonly servesApps?: boolean;
  readonly database?: boolean;
  readonly postgres?: OwnPostgres;
  readonly events?: boolean;
  readonly buckets?: readonly string[];
  readonly search?: boolean;
  readonly clients?: readonly Peer[];
  readonly egress?: readonly Rule[];
};
export type Settings = {
  readonly external: {
    readonly postgres: Server & { readonly port: number };
    readonly nats: Server & { readonly url: string };
    readonly s3: Server & { readonly endpoint: string };
    readonly opensearch: Server & { readonly url: string };
    readonly otlp: Server & { readonly endpoint: string };
  };
  /** The platform's apps, outside of the release. */
  readonly apps: { readonly enabled: boolean; readonly peers: readonly Peer[] };
  readonly networkPolicy: {
    readonly enabled: boolean;
    readonly dns: { readonly peers: readonly Peer[]; readonly ports?: readonly number[] };
    readonly metrics: { readonly peers: readonly Peer[] };
  };
  readonly ingest: {
    readonly privateSources: readonly string[];
    readonly blockedCidrs: readonly string[];
    readonly nat64Prefixes: readonly string[];
    readonly dnsServers: readonly string[];
  };
  readonly defaults: ComponentSettings;
  readonly components: Readonly<Record<string, ComponentSettings>>;
};

type Tree = Readonly<Record<string, unknown>>;

const usualPorts: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443, 'nats:': 4222, 'tls:': 4222 };

/** The ports of every component, by name. */
export const ports = { admin: 9090, http: 8080, rpc: 50_051, adminRpc: 50_052 } as const;

export function settingsOf(root: string, { chart, values }: Release): Settings {
  return merge(read(root, `charts/${chart}/values.yaml`), read(root, values)) as Settings;
}

/** Merges like Helm: maps key by key, everything else as a whole. */
export function merge(below: unknown, above: unknown): unknown {
  if (!isTree(below) || !isTree(above)) return above === undefined ? below : above;
  const keys = [...new Set([...Object.keys(below), ...Object.keys(above)])];
  return Object.fromEntries(keys.map((key) => [key, merge(below[key], above[key])]));
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function read(root: string, path: string): unknown {
  return parse(readFileSync(join(root, path), 'utf8')) ?? {};
}

/** A component's block merged over the defaults. */
export function componentSettings(settings: Settings, name: string): ComponentSettings {
  return merge(settings.defaults, settings.components[name] ?? {}) as ComponentSettings;
}

/** The ports of an address, or of several between commas. */
export function portsOf(addresses: string): number[] {
  return [...new Set(addresses.split(',').map(portOf))];
}

/** The port of an address. */
export function portOf(address: string): number {
  const { port, protocol } = new URL(address);
  return port === '' ? (usualPorts[protocol] ?? 0) : Number(port);
}

/** `10.0.0.1:53`, `[fd00::1]:53`, or an address alone with the default port. */
export function splitAddress(text: string, usual: number): { readonly ip: string; readonly port: number } {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/.exec(text) ?? [undefined, undefined, text];
  return { ip: bracketed ?? plain ?? text, port: Number(port ?? usual) };
}
