/**
 * The addresses of the running servers: the file that `npm run servers -- up` writes and every user of a server reads.
 */
import { existsSync, readFileSync } from 'node:fs';
import type pg from 'pg';
import { stateFolder } from './state-folder.ts';

export type Servers = {
  postgres: {
    host: string;
    port: number;
    adminUser: string;
    adminPassword: string;
    ssl?: pg.ClientConfig['ssl'];
  };
  /**
   * The user belongs to a separate account with JetStream and no restriction; `dir` holds the configuration that a
   * restart reads.
   */
  nats: { url: string; monitorUrl: string; user: string; password: string; binary: string; dir: string };
  s3: { endpoint: string; region: string; rootAccessKey: string; rootSecretKey: string };
  opensearch: { url: string } | null;
  ffmpeg: string | null;
  /** The launcher that confines programs. */
  confine: string | null;
  /** A Python that has faster-whisper. */
  speechPython: string | null;
  /** Folder of the speech model. */
  speechModel: string | null;
  /** Folder of the embedded engine for vectors of texts. */
  embeddings: string | null;
  apertium: string | null;
};

/** Reads servers.json. Throws one sentence that names the command to run if it does not exist. */
export function readServers(file: string = serversFile()): Servers {
  if (!existsSync(file))
    throw new Error(`No servers are known (${file} does not exist): run \`npm run servers -- up\`.`);
  return JSON.parse(readFileSync(file, 'utf8')) as Servers;
}

/** Path of servers.json: `VDS_SERVERS`, else `.vds/servers/servers.json` of this repository. */
export function serversFile(): string {
  return process.env['VDS_SERVERS'] ?? stateFolder('servers', 'servers.json');
}
