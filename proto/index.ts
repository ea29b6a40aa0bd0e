/** Loaded gRPC packages: service constructors and definitions by owner. Types are generated (`npm run generate`). */
import { fileURLToPath } from 'node:url';
import { loadPackageDefinition } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import type { ProtoGrpcType as Analytics } from './generated/analytics.ts';
import type { ProtoGrpcType as Auth } from './generated/auth.ts';
import type { ProtoGrpcType as Catalog } from './generated/catalog.ts';
import type { ProtoGrpcType as Captions } from './generated/captions.ts';
import type { ProtoGrpcType as DeadLetters } from './generated/dead_letter_admin.ts';
import type { ProtoGrpcType as Indexer } from './generated/indexer.ts';
import type { ProtoGrpcType as Metadata } from './generated/metadata.ts';
import type { ProtoGrpcType as Transcode } from './generated/transcode.ts';
import type { ProtoGrpcType as Worker } from './generated/worker_admin.ts';
import { loaderOptions } from './loader-options.ts';

const root = fileURLToPath(new URL('.', import.meta.url));
function load<T>(file: string): T {
  return loadPackageDefinition(loadSync(`${root}/${file}`, loaderOptions)) as unknown as T;
}

/** gRPC of analytics: `analytics.AnalyticsAdmin`. */
export const analytics = load<Analytics>('vds/analytics/v1/analytics.proto').vds.analytics.v1;
/** gRPC of auth: `auth.AuthService`, `auth.AuthAdmin`. */
export const auth = load<Auth>('vds/auth/v1/auth.proto').vds.auth.v1;
/** gRPC of catalog: `catalog.CatalogService`, `catalog.CatalogAdmin`. */
export const catalog = load<Catalog>('vds/catalog/v1/catalog.proto').vds.catalog.v1;
/** gRPC of transcode: `transcode.TranscodeService`. */
export const transcode = load<Transcode>('vds/transcode/v1/transcode.proto').vds.transcode.v1;
/** gRPC of captions: `captions.CaptionsService`, `captions.CaptionsAdmin`. */
export const captions = load<Captions>('vds/captions/v1/captions.proto').vds.captions.v1;
/** gRPC of metadata: `metadata.MetadataService`. */
export const metadata = load<Metadata>('vds/metadata/v1/metadata.proto').vds.metadata.v1;
/** gRPC of indexer: `indexer.IndexerService`, `indexer.IndexerAdmin`. */
export const indexer = load<Indexer>('vds/indexer/v1/indexer.proto').vds.indexer.v1;
/** gRPC of every service that consumes events: `deadLetters.DeadLetterAdmin`. */
export const deadLetters = load<DeadLetters>('vds/common/v1/dead_letter_admin.proto').vds.common.v1;
/** gRPC of every service with stages: `worker.WorkerAdmin`. */
export const worker = load<Worker>('vds/common/v1/worker_admin.proto').vds.common.v1;
