/** The contract as one page: title and base address, the guide, every call, every type, failures and warnings. */
import { failures } from '@vds/proto/failures';
import { warnings } from '@vds/proto/warnings';
import { describeCall } from './call.ts';
import { describeSchema } from './fields.ts';
import { html, type Html } from './html.ts';
import { anchorOf, inline, markdown } from './markdown.ts';
import { callsOf, type OpenApi } from './open-api.ts';

const doctype = '<!doctype html>\n';

/** @returns the full document; it loads `docs/page.css` and `docs/page.js`, relative to its own address */
export function contractPage(document: OpenApi): string {
  const { title, version, description } = document.info;
  const guide = description.indexOf('## ');
  const page = html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>${title}</title>
      <link rel="stylesheet" href="docs/page.css" />
    </head>
    <body>
      <header>
        <h1>${title} <small>${version}</small></h1>
        <p class="base">
          Base address <code id="base">the address of this page without /docs</code> ·
          <a href="openapi.json">openapi.json</a>
        </p>
        ${markdown(description.slice(0, guide))}
      </header>
      <div class="columns">
        ${contents(document)}
        <main>
          ${start(document)} ${markdown(description.slice(guide))}
          ${callsOf(document).map((call) => describeCall(document, call))} ${types(document)} ${failureTable()}
          ${warningTable()}
        </main>
      </div>
      <script src="docs/page.js"></script>
    </body>
  </html>`;
  return doctype + page.text;
}

function contents(document: OpenApi): Html {
  const headings = [...document.info.description.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading);
  return html`<nav aria-label="Contents">
    <ul>
      <li><a href="#start">Your key</a></li>
      ${headings.map((heading) => html`<li><a href="#${anchorOf(heading)}">${heading}</a></li> `)}
      ${callsOf(document).map(
        ({ operationId, method, path }) =>
          html`<li>
            <a href="#${operationId}"><b>${method}</b> <code>${path}</code></a>
          </li> `,
      )}
      <li><a href="#types">Types</a></li>
      <li><a href="#failures">Failure codes</a></li>
      <li><a href="#warnings">Warnings</a></li>
    </ul>
  </nav>`;
}

/** Inputs of the samples and forms: the environment, and the key. */
function start({ components }: OpenApi): Html {
  const environment = 'export VDS_BASE_URL=…\nexport VDS_API_KEY=svc_live_…\nexport VIDEO_ID=vid_…   # of a response';
  return html`<section id="start">
    <h2>Your key</h2>
    ${Object.values(components.securitySchemes).map(({ description }) => markdown(description))}
    <p>The samples of this page read their environment:</p>
    <pre id="environment" tabindex="0"><code>${environment}</code></pre>
    <label
      >API key for <i>Try it</i>
      <input id="key" type="password" autocomplete="off" spellcheck="false" placeholder="svc_live_…" />
    </label>
    <p class="note">
      The key stays in the memory of this page until you leave it: it is not stored, not part of any address, and sent
      to this host alone. Use one of a test account; keys of production belong on your backend.
    </p>
  </section>`;
}

function types({ components }: OpenApi): Html {
  return html`<h2 id="types">Types</h2>
    ${Object.entries(components.schemas).map(
      ([name, schema]) =>
        html`<section class="schema" id="schema-${name}">
          <h3>${name}</h3>
          ${describeSchema(schema)}
        </section>`,
    )}`;
}

function failureTable(): Html {
  return html`<section id="failures">
    <h2>Failure codes</h2>
    <p>
      Why a video is ${inline('`failed`')}: ${inline('`failure.code`')} of the status record, and what to do. New codes
      may be added: treat one that you do not know by its ${inline('`retryable`')}.
    </p>
    <dl class="codes">
      ${Object.entries(failures).map(
        ([code, { stage, retryable, message }]) =>
          html`<dt><code>${code}</code></dt>
            <dd>
              <p>${message}</p>
              <p class="facts">
                ${stage === 'any' ? 'any stage' : `stage ${stage}`} ·
                ${retryable ? 'the same source may succeed later' : 'the same source fails again'}
              </p>
            </dd> `,
      )}
    </dl>
  </section>`;
}

function warningTable(): Html {
  return html`<section id="warnings">
    <h2>Warnings</h2>
    <p>
      What works but is not recommended about a source: ${inline('`source_warnings`')} of the status record. The video
      is live all the same.
    </p>
    <dl class="codes">
      ${Object.entries(warnings).map(
        ([code, { message, remedy }]) =>
          html`<dt><code>${code}</code></dt>
            <dd>
              <p>${message}</p>
              <p class="remedy">${remedy}</p>
            </dd> `,
      )}
    </dl>
  </section>`;
}
