/** The examples of openapi.yaml, and a server that responds with them. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parse } from 'yaml';

export type Example = {
  readonly operation: string;
  readonly status: number;
  readonly name: string;
  readonly body: unknown;
};
/** Where a request must go to. */
export type Received = { readonly call: string; readonly authorization: string | undefined; readonly body: unknown };

type Content = { content?: { 'application/json'?: { examples?: Record<string, { value: unknown }> } } };
type Operation = { operationId: string; requestBody?: Content; responses: Record<string, Content & { $ref?: string }> };
type Contract = {
  paths: Record<string, Record<string, Operation>>;
  components: { responses: Record<string, Content> };
};

export const contractFile = new URL('../../openapi.yaml', import.meta.url);
const contract = parse(readFileSync(contractFile, 'utf8')) as Contract;
const operations = Object.entries(contract.paths).flatMap(([path, item]) =>
  Object.entries(item)
    .filter(([, { operationId }]) => operationId !== undefined)
    .map(([method, operation]) => ({ call: `${method.toUpperCase()} ${path}`, operation })),
);

/** Method and path of each operation, by its id. */
export const calls = new Map(operations.map(({ call, operation }) => [operation.operationId, call]));

/** Every example of a response. */
export const responses: readonly Example[] = operations.flatMap(({ operation: { operationId, responses } }) =>
  Object.entries(responses).flatMap(([status, response]) =>
    examplesOf(resolved(response)).map(([name, { value }]) => ({
      operation: operationId,
      status: Number(status),
      name,
      body: value,
    })),
  ),
);

/** Every example of a request for a new video. */
export const requests: readonly unknown[] = operations.flatMap(({ operation: { requestBody } }) =>
  examplesOf(requestBody ?? {}).map(([, { value }]) => value),
);

function resolved(response: Content & { $ref?: string }): Content {
  const name = response.$ref?.split('/').at(-1);
  return name === undefined ? response : (contract.components.responses[name] ?? {});
}

function examplesOf({ content }: Content): [string, { value: unknown }][] {
  return Object.entries(content?.['application/json']?.examples ?? {});
}

/** Responds to the n-th request with the n-th example, and records the requests. */
export async function serveExamples(examples: readonly Example[]) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (data: string) => (text += data));
    request.on('end', () => {
      const example = examples[received.length];
      const body: unknown = text === '' ? undefined : JSON.parse(text);
      received.push({ call: `${request.method} ${request.url}`, authorization: request.headers.authorization, body });
      response.writeHead(example?.status ?? 599, { 'content-type': 'application/json; charset=utf-8' });
      response.end(JSON.stringify(example?.body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url, received, close };
}
