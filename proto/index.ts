/** Loaded gRPC packages: service constructors and definitions by owner. Types are generated (`npm run generate`). */
import { fileURLToPath } from 'node:url';
import { loadPackageDefinition } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import type { ProtoGrpcType as Auth } from './generated/auth.ts';
import type { ProtoGrpcType as Catalog } from './generated/catalog.ts';
import type { ProtoGrpcType as Transcode } from './generated/transcode.ts';
import { loaderOptions } from './loader-options.ts';

const root = fileURLToPath(new URL('.', import.meta.url));
const load = <T>(file: string): T => loadPackageDefinition(loadSync(`${root}/${file}`, loaderOptions)) as unknown as T;

/** gRPC of auth: `auth.AuthService`, `auth.AuthAdmin`. */
export const auth = load<Auth>('vds/auth/v1/auth.proto').vds.auth.v1;
/** gRPC of catalog: `catalog.CatalogService`, `catalog.CatalogAdmin`. */
export const catalog = load<Catalog>('vds/catalog/v1/catalog.proto').vds.catalog.v1;
/** gRPC of transcode: `transcode.TranscodeService`. */
export const transcode = load<Transcode>('vds/transcode/v1/transcode.proto').vds.transcode.v1;
