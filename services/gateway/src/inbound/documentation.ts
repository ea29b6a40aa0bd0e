/** The contract for readers: `/openapi.json`, and `/docs`, a page that loads nothing from anywhere else. */
import { createHash } from 'node:crypto';
import type { Express, Response } from 'express';
import type { Contract } from './contract.ts';
import { docsPage } from './docs-page.ts';
import { docsStyle } from './docs-style.ts';

const MAX_AGE = 'public, max-age=300';

/** Adds both paths, for GET alone and without credentials. */
export function serveDocumentation(app: Express, contract: Contract): void {
  const json = JSON.stringify(contract.document);
  const page = docsPage(contract.document);
  const style = createHash('sha256').update(docsStyle).digest('base64');
  const served: Readonly<Record<string, (response: Response) => void>> = {
    '/openapi.json': (response) => sendText(response, 'application/json; charset=utf-8', json),
    '/docs': (response) => {
      response.set(
        'content-security-policy',
        `default-src 'none'; style-src 'sha256-${style}'; frame-ancestors 'none'`,
      );
      sendText(response, 'text/html; charset=utf-8', page);
    },
  };
  for (const [path, serve] of Object.entries(served))
    app.all(path, (request, response, next) => {
      if (request.method !== 'GET') return next();
      response.locals['route'] = path;
      serve(response);
    });
}

function sendText(response: Response, type: string, text: string): void {
  response.set({ 'content-type': type, 'content-length': String(Buffer.byteLength(text)), 'cache-control': MAX_AGE });
  response.end(text);
}
