/**
 * The baseline of the API bench: one Express process that does what POST and GET do, with the very same statements and
 * no service boundary. Environment: AUTH_DATABASE and CATALOG_DATABASE (URLs with password), PEPPER (base64).
 */
import { createSecretKey, randomUUID } from 'node:crypto';
import express from 'express';
import pg from 'pg';
import { bareAuthorize } from './auth/bare-authorize.ts';
import { bareCreate, bareGet } from './catalog/bare-videos.ts';

function pool(name: string): pg.Pool {
  return new pg.Pool({ connectionString: process.env[name], max: 10 });
}
const auth = pool('AUTH_DATABASE');
const catalog = pool('CATALOG_DATABASE');
const peppers = [{ id: '1', key: createSecretKey(process.env['PEPPER'] ?? '', 'base64') }] as const;

const app = express();
app.use(express.json());
app.post('/v1/videos', async (request, response) => {
  const key = await bareAuthorize(auth, peppers, request.get('authorization'));
  if (!key?.minute.admitted) return void response.status(401).end();
  const { source_url: sourceUrl, title } = request.body as { source_url: string; title: string };
  const id = randomUUID().replaceAll('-', '').slice(0, 26);
  await bareCreate(catalog, id, key, { sourceUrl, title });
  response.status(202).json({ id: `vid_${id}`, status: 'processing' });
});
app.get('/v1/videos/:id', async (request, response) => {
  const key = await bareAuthorize(auth, peppers, request.get('authorization'));
  if (!key?.minute.admitted) return void response.status(401).end();
  const video = await bareGet(catalog, request.params.id.replace(/^vid_/, ''), key.publisherId);
  response.status(video === undefined ? 404 : 200).json(video ?? {});
});
const server = app.listen(0, '127.0.0.1', () => process.send?.((server.address() as { port: number }).port));
process.on('SIGTERM', () => process.exit(0));
