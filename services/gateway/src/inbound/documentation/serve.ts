/** The contract for readers: `/openapi.json`, and `/docs`, a page that loads nothing from any other host. */
import { readFileSync } from 'node:fs';
import type { Express } from 'express';
import type { Contract } from '../contract.ts';
import type { OpenApi } from './open-api.ts';
import { contractPage } from './page.ts';

/** The page may run and show only what this host serves: no inline script, no inline style, no eval. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HTML = 'text/html; charset=utf-8';
const MAX_AGE = 'public, max-age=300';

/** Adds the paths, only for GET and HEAD, without credentials. */
export function serveDocumentation(app: Express, contract: Contract): void {
  const documents: readonly (readonly [path: string, type: string, text: string])[] = [
    ['/openapi.json', 'application/json; charset=utf-8', JSON.stringify(contract.document)],
    ['/docs', HTML, contractPage(contract.document as OpenApi)],
    ['/docs/page.js', 'text/javascript; charset=utf-8', fileText('page.js')],
    ['/docs/page.css', 'text/css; charset=utf-8', styleSheet()],
  ];
  for (const [path, type, text] of documents) {
    const body = Buffer.from(text);
    app.all(path, (request, response, next) => {
      if (request.method !== 'GET' && request.method !== 'HEAD') return next();
      response.locals['route'] = path;
      if (type === HTML) response.set('content-security-policy', PAGE_POLICY);
      response.set({ 'content-type': type, 'content-length': String(body.length), 'cache-control': MAX_AGE });
      response.end(body);
    });
  }
}

/** The page's rules over a classless base, in a layer below them. */
function styleSheet(): string {
  const base = readFileSync(new URL(import.meta.resolve('simpledotcss/simple.min.css')), 'utf8');
  return `@layer base {${base}}\n${fileText('page.css')}`;
}

function fileText(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8');
}
