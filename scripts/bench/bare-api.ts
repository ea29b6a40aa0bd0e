/**
 * The yardstick of the API bench: one Express process that does what POST and GET do, with the very same statements and
 * no service boundary. Environment: AUTH_DATABASE and CATALOG_DATABASE (URLs with password), PEPPER (base64).
 */
import { randomUUID } from 'node:crypto';
import express from 'express';
import pg from 'pg';
import { parseApiKey } from '../../services/auth/src/domain/api-key.ts';
import { candidateHashes } from '../../services/auth/src/outbound/key-hash.ts';
import { decide } from '../../services/auth/src/outbound/minute-window.ts';
import { createVideo } from '../../services/catalog/src/outbound/create-video.ts';

function pool(name: string): pg.Pool {
  return new pg.Pool({ connectionString: process.env[name], max: 10 });
}
const auth = pool('AUTH_DATABASE');
const catalog = pool('CATALOG_DATABASE');
const peppers = [{ id: '1', key: Buffer.from(process.env['PEPPER'] ?? '', 'base64') }] as const;

async function admit(header: string | undefined) {
  const key = parseApiKey((header ?? '').replace(/^Bearer /, ''));
  return key && decide(auth, key.id, candidateHashes(peppers, key), 60_000);
}

const uncounted = { accepted: () => {}, overDailyLimit: () => {} };
const deps = { pool: catalog, metrics: uncounted, notify: () => {}, republishFirstMs: 15_000 };
const app = express();
app.use(express.json());
app.post('/v1/videos', async (request, response) => {
  const key = await admit(request.get('authorization'));
  if (!key?.minute.admitted) return void response.status(401).end();
  const { source_url: sourceUrl, title } = request.body as { source_url: string; title: string };
  const id = randomUUID().replaceAll('-', '').slice(0, 26);
  const video = {
    id,
    publisherId: key.publisherId,
    keyId: key.keyId,
    budgetId: key.budgetId,
    dailyLimit: key.dailyLimit,
  };
  const nothing = { summary: null, thumbnailUrl: null, sport: null, category: null };
  const asked = { ...video, ...nothing, sourceUrl, title, tags: [], languageCode: 'en' };
  await createVideo(deps, asked, () => Infinity);
  response.status(202).json({ id: `vid_${id}`, status: 'processing' });
});
app.get('/v1/videos/:id', async (request, response) => {
  const key = await admit(request.get('authorization'));
  if (!key?.minute.admitted) return void response.status(401).end();
  const id = request.params.id.replace(/^vid_/, '');
  const { rows } = await catalog.query({
    name: 'bare-get',
    text: 'SELECT v.*, (SELECT json_agg(s) FROM stages s WHERE s.video_id = v.id) AS stages FROM videos v WHERE id = $1 AND publisher_id = $2',
    values: [id, key.publisherId],
  });
  response.status(rows.length === 1 ? 200 : 404).json(rows[0] ?? {});
});
const server = app.listen(0, '127.0.0.1', () => process.send?.((server.address() as { port: number }).port));
process.on('SIGTERM', () => process.exit(0));
