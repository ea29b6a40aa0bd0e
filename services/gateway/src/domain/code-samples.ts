/**
 * One call of the interface as a program: curl, TypeScript with `fetch`, Python with its standard library. They read
 * `VDS_BASE_URL`, `VDS_API_KEY` and `VIDEO_ID` from the environment, so that no key is ever part of a sample.
 */
export type SampledCall = {
  readonly method: string;
  /** Of the contract, with `{id}` where the video's id goes. */
  readonly path: string;
  /** A JSON value; undefined for a call without a body. */
  readonly body: unknown;
};

export type CodeSample = { readonly language: 'curl' | 'typescript' | 'python'; readonly text: string };

export function codeSamples(call: SampledCall): readonly CodeSample[] {
  return [
    { language: 'curl', text: curl(call) },
    { language: 'typescript', text: typescript(call) },
    { language: 'python', text: python(call) },
  ];
}

function curl({ method, path, body }: SampledCall): string {
  // curl sends POST by itself with a body, and GET without.
  const isImplied = method === (body === undefined ? 'GET' : 'POST');
  const lines = [
    `curl --silent --fail-with-body ${isImplied ? '' : `--request ${method} `}"$VDS_BASE_URL${withId(path, '$VIDEO_ID')}"`,
    `--header "Authorization: Bearer $VDS_API_KEY"`,
    ...(body === undefined
      ? []
      : [`--header 'Content-Type: application/json'`, `--data ${shellQuoted(JSON.stringify(body, null, 2))}`]),
  ];
  return lines.join(' \\\n  ');
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function typescript({ method, path, body }: SampledCall): string {
  const address = `\`\${process.env.VDS_BASE_URL}${withId(path, '${process.env.VIDEO_ID}')}\``;
  const payload =
    body === undefined ? [] : [`  body: JSON.stringify(${indented(JSON.stringify(body, null, 2), '  ')}),`];
  return [
    `const response = await fetch(${address}, {`,
    `  method: '${method}',`,
    '  headers: {',
    '    Authorization: `Bearer ${process.env.VDS_API_KEY}`,',
    ...(body === undefined ? [] : [`    'Content-Type': 'application/json',`]),
    '  },',
    ...payload,
    '});',
    `console.log(response.status, response.headers.get('x-request-id'), await response.text());`,
  ].join('\n');
}

function python({ method, path, body }: SampledCall): string {
  const address = withId(path, '" + os.environ["VIDEO_ID"] + "');
  const payload = body === undefined ? [] : [`    data=json.dumps(${indented(pythonLiteral(body), '    ')}).encode(),`];
  return [
    ...(body === undefined ? [] : ['import json']),
    'import os',
    'import urllib.error',
    'import urllib.request',
    '',
    'request = urllib.request.Request(',
    `    os.environ["VDS_BASE_URL"] + "${address}",`.replace(' + ""', ''),
    `    method="${method}",`,
    '    headers={',
    '        "Authorization": "Bearer " + os.environ["VDS_API_KEY"],',
    ...(body === undefined ? [] : ['        "Content-Type": "application/json",']),
    '    },',
    ...payload,
    ')',
    'try:',
    '    response = urllib.request.urlopen(request)',
    'except urllib.error.HTTPError as error:',
    '    response = error',
    'print(response.status, response.headers["x-request-id"], response.read().decode())',
  ].join('\n');
}

/** The literal of a JSON value; the escapes of JSON's strings mean the same in Python. */
function pythonLiteral(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(', ')}]`;
  const members = Object.entries(value).map(
    ([name, inner]) => `    ${JSON.stringify(name)}: ${pythonLiteral(inner)},\n`,
  );
  return `{\n${members.join('')}}`;
}

function withId(path: string, id: string): string {
  return path.replace('{id}', id);
}

/** Every line but the first is moved to the right. */
function indented(text: string, by: string): string {
  return text.replaceAll('\n', `\n${by}`);
}
