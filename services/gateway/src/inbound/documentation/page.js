/** The page's behaviour: base address, language of the samples, and requests with the reader's key. */

/** Where the interface is: the address of this page without its last segment and the slash. */
const base = new URL('.', location.href).href.slice(0, -1);

/** Response headers that a caller acts on. */
const telling = ['x-request-id', 'x-ratelimit-remaining', 'x-ratelimit-daily-remaining', 'retry-after'];

/** A request that has no response after this many milliseconds is given up. */
const PATIENCE_MS = 30_000;

document.querySelector('#base').textContent = base;
const environment = document.querySelector('#environment code');
environment.textContent = environment.textContent.replace('VDS_BASE_URL=…', `VDS_BASE_URL=${base}`);

showLanguage('curl');
for (const button of document.querySelectorAll('.tabs button'))
  button.addEventListener('click', () => showLanguage(button.dataset.language));
for (const call of document.querySelectorAll('.call'))
  call.querySelector('.send').addEventListener('click', () => void send(call));

function showLanguage(language) {
  for (const button of document.querySelectorAll('.tabs button'))
    button.setAttribute('aria-pressed', String(button.dataset.language === language));
  for (const sample of document.querySelectorAll('.sample')) sample.hidden = sample.dataset.sample !== language;
}

/** Sends the request of one call and shows the response. The key goes into a header, and nowhere else. */
async function send(call) {
  const { method, path } = call.dataset;
  const outcome = call.querySelector('.outcome');
  const id = call.querySelector('.id')?.value.trim();
  if (id === '') return show(outcome, [line('problem', 'Fill in the id of a video: vid_…')]);
  if (method === 'DELETE' && !confirm(`Delete ${id} for ever? This cannot be undone.`)) return;
  const button = call.querySelector('.send');
  button.disabled = true;
  show(outcome, [line('note', 'Waiting for the response …')]);
  try {
    const address = base + path.replace('{id}', encodeURIComponent(id ?? ''));
    const response = await fetch(address, requestOf(method, call.querySelector('.body')?.value));
    const text = await response.text();
    show(outcome, responseLines(response, text));
    keepId(text);
  } catch (error) {
    show(outcome, [line('problem', `There was no response: ${error.message}`)]);
  } finally {
    button.disabled = false;
  }
}

function requestOf(method, body) {
  const key = document.querySelector('#key').value.trim();
  const headers = {
    ...(key !== '' && { authorization: `Bearer ${key}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  return {
    ...{ method, headers, body, credentials: 'omit', cache: 'no-store', redirect: 'error' },
    ...{ referrerPolicy: 'no-referrer', signal: AbortSignal.timeout(PATIENCE_MS) },
  };
}

function responseLines(response, text) {
  const headers = telling.filter((name) => response.headers.has(name));
  return [
    line(response.ok ? 'status good' : 'status problem', String(response.status)),
    ...headers.map((name) => line('header', `${name}: ${response.headers.get(name)}`)),
    line('answer', pretty(text), 'pre'),
  ];
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}

/** The id of a response goes into the forms that have none yet. */
function keepId(text) {
  const id = /"id": ?"(vid_\w+)"/.exec(text)?.[1];
  if (id === undefined) return;
  for (const input of document.querySelectorAll('.id')) if (input.value === '') input.value = id;
}

function show(outcome, lines) {
  outcome.replaceChildren(...lines);
}

function line(kind, text, tag = 'p') {
  const element = document.createElement(tag);
  element.className = kind;
  element.textContent = text;
  return element;
}
