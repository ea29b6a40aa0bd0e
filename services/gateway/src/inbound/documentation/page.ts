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
  const lead = html`Why a video is ${inline('`failed`')}: ${inline('`failure.code`')} of the status record, and what to
  do. New codes may be added: treat one that you do not know by its ${inline('`retryable`')}.`;
  const rows = Object.entries(failures).map(([code, { stage, retryable, message }]) => {
    const again = retryable ? 'the same source may succeed later' : 'the same source fails again';
    return row(
      code,
      message,
      html`<p class="facts">${stage === 'any' ? 'any stage' : `stage ${stage}`} · ${again}</p>`,
    );
  });
  return codes('failures', 'Failure codes', lead, rows);
}

function warningTable(): Html {
  const lead = html`What works but is not recommended about a source: ${inline('`source_warnings`')} of the status
  record. The video is live all the same.`;
  const rows = Object.entries(warnings).map(([code, { message, remedy }]) =>
    row(code, message, html`<p class="remedy">${remedy}</p>`),
  );
  return codes('warnings', 'Warnings', lead, rows);
}

function codes(id: string, title: string, lead: Html, rows: readonly Html[]): Html {
  return html`<section id="${id}">
    <h2>${title}</h2>
    <p>${lead}</p>
    <dl class="codes">${rows}</dl>
  </section>`;
}

function row(code: string, message: string, more: Html): Html {
  return html`<dt><code>${code}</code></dt>
    <dd>
      <p>${message}</p>
      ${more}
    </dd> `;
}
