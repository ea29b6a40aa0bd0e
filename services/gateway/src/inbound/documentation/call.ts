/** One call for readers: what it does, its fields, samples, a form that tries it, and every response. */
import { codeSamples, type CodeSample } from '../../domain/code-samples.ts';
import { describeSchema } from './fields.ts';
import { html, type Html } from './html.ts';
import { inline, markdown } from './markdown.ts';
import {
  resolve,
  schemaName,
  type Call,
  type Content,
  type OpenApi,
  type Parameter,
  type Response,
  type Schema,
} from './open-api.ts';

const languages = { curl: 'curl', typescript: 'TypeScript', python: 'Python' } as const;

export function describeCall(document: OpenApi, call: Call): Html {
  const { method, path, operationId, summary, description, requestBody, parameters, responses } = call;
  return html`<section class="call" id="${operationId}" data-method="${method}" data-path="${path}">
    <h2><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code></h2>
    <p class="lead">${summary}</p>
    ${markdown(description)}
    <p class="scope">Needs a key with the scope <code>${call.security[0].apiKey[0]}</code>.</p>
    ${samples(codeSamples({ method, path, body: smallestBody(requestBody) }))} ${tryIt(call)}
    ${parameters.map(describeParameter)} ${requestBody ? describeRequest(requestBody.content) : ''}
    <h3>Responses</h3>
    ${Object.entries(responses).map(([status, response]) => describeResponse(document, status, response))}
  </section>`;
}

function describeParameter({ name, in: place, description }: Parameter): Html {
  return html`<h3>In the ${place === 'path' ? 'path' : 'header'}</h3>
    <dl class="fields">
      <dt><code class="name">${name}</code> ${place === 'path' ? html`<span class="required">required</span>` : ''}</dt>
      <dd><p>${inline(description)}</p></dd>
    </dl>`;
}

/** The first example of a request has the least that a request needs. */
function smallestBody(requestBody: Call['requestBody']): unknown {
  return requestBody && Object.values(requestBody.content['application/json'].examples)[0]?.value;
}

function samples(all: readonly CodeSample[]): Html {
  return html`<div class="samples">
    <div class="tabs">
      ${all.map(({ language }) => html`<button type="button" data-language="${language}">${languages[language]}</button>`)}
    </div>
    ${all.map(
      ({ language, text }) =>
        html`<pre class="sample" data-sample="${language}" tabindex="0"><code>${text}</code></pre>`,
    )}
  </div>`;
}

/** Its inputs have no names: even if the script does not run, none of them can get into an address. */
function tryIt({ operationId, method, requestBody, parameters }: Call): Html {
  const body = requestBody && JSON.stringify(smallestBody(requestBody), null, 2);
  return html`<details class="try">
    <summary>Try it</summary>
    ${parameters
      .filter((one) => one.in === 'path')
      .map(
        ({ name, example }) =>
          html`<label
            >${name} <input class="id" autocomplete="off" spellcheck="false" placeholder="${example}"
          /></label>`,
      )}
    ${
      body === undefined
        ? ''
        : html`<label
            >Body <textarea class="body" rows="6" autocomplete="off" spellcheck="false">${body}</textarea>
          </label>`
    }
    <button type="button" class="send" aria-describedby="${operationId}-note">Send ${method}</button>
    <p class="note" id="${operationId}-note">
      This is no simulation: it is sent with <a href="#start">your key</a> and acts on your account.
    </p>
    <div class="outcome" role="status"></div>
  </details>`;
}

function describeRequest(content: Content): Html {
  const { schema } = content['application/json'];
  return html`<h3>Body</h3>
    <p>A ${typeName(schema)}.</p>
    ${examples(content)}`;
}

function describeResponse(document: OpenApi, status: string, reference: Response): Html {
  const { description, headers, content } = resolve(document, reference);
  return html`<details class="response" data-status="${status}">
    <summary><b>${status}</b> ${inline(description)}</summary>
    <dl class="headers">
      ${Object.entries(headers).map(
        ([name, header]) =>
          html`<dt><code>${name}</code></dt>
            <dd>${inline(resolve(document, header).description)}</dd> `,
      )}
    </dl>
    ${content ? html`<p>The body is ${typeName(content['application/json'].schema)}.</p>` : ''}
    ${content ? examples(content) : ''}
  </details>`;
}

/** A link to the type, or its name for a combination of types. */
function typeName(schema: Schema): Html {
  const name = schemaName(schema) ?? schema.allOf?.map(schemaName).find((one) => one !== undefined);
  return name === undefined ? describeSchema(schema) : html`<a href="#schema-${name}">${name}</a>`;
}

function examples(content: Content): Html {
  return html`${Object.entries(content['application/json'].examples).map(
    ([name, { summary, value }]) =>
      html`<figure class="example" data-example="${name}">
        <figcaption>${summary}</figcaption>
        <pre tabindex="0"><code>${JSON.stringify(value, null, 2)}</code></pre>
      </figure>`,
  )}`;
}
