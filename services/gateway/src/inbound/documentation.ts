/** The contract for readers: `/openapi.json`, and `/docs`, a page of Swagger UI that loads nothing from any other host. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Express } from 'express';
import type { Contract } from './contract.ts';

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Video Distribution API</title>
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<div id="contract"></div>
<noscript>The contract for programs: <a href="openapi.json">openapi.json</a></noscript>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

/** Shows everything expanded; requests are not sent from the page, as API keys never belong in a browser. */
const START = `SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#contract',
  deepLinking: true,
  docExpansion: 'full',
  defaultModelExpandDepth: 9,
  defaultModelsExpandDepth: 9,
  showExtensions: true,
  supportedSubmitMethods: [],
  validatorUrl: null,
});
`;

/** The page may run and show what this host serves, and nothing else: no inline script, no inline style, no eval. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const MAX_AGE = 'public, max-age=300';

/** Adds the paths, for GET alone and without credentials. */
export function serveDocumentation(app: Express, contract: Contract): void {
  const documents: readonly (readonly [path: string, type: string, text: string])[] = [
    ['/openapi.json', 'application/json; charset=utf-8', JSON.stringify(contract.document)],
    ['/docs', HTML, PAGE],
    ['/docs/start.js', SCRIPT, START],
    ['/docs/swagger-ui-bundle.js', SCRIPT, fileText(import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js'))],
    [
      '/docs/swagger-ui.css',
      'text/css; charset=utf-8',
      fileText(import.meta.resolve('swagger-ui-dist/swagger-ui.css')),
    ],
  ];
  for (const [path, type, text] of documents) {
    const body = Buffer.from(text);
    app.all(path, (request, response, next) => {
      if (request.method !== 'GET') return next();
      response.locals['route'] = path;
      if (type === HTML) response.set('content-security-policy', PAGE_POLICY);
      response.set({ 'content-type': type, 'content-length': String(body.length), 'cache-control': MAX_AGE });
      response.end(body);
    });
  }
}

function fileText(url: string): string {
  return readFileSync(fileURLToPath(url), 'utf8');
}
