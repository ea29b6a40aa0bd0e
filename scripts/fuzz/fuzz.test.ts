/**
 * A small fuzz of the real interface, and proof that fuzzing detects faults: responses that violate the contract on
 * purpose.
 */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { messageOf } from '@vds/chassis/errors';
import { runs } from '@vds/testkit/counts';
import { readServers } from '@vds/testkit/servers/servers-file';
import { skipBecause } from '@vds/testkit/skip';
import { expect } from 'chai';
import { openFuzzStack, type FuzzStack } from './fuzz-stack.ts';
import { schemathesis } from './program.ts';
import { isFaulty, runFuzz, type Fuzzed } from './run-fuzz.ts';

const INSTALL_MS = 300_000;
const requestId = 'req_01jd3m8r5w2f4h6j8k0m2n4p6q';
const headers = { 'content-type': 'application/json; charset=utf-8', 'x-request-id': requestId };
function envelope(code: string): string {
  return JSON.stringify({ error: { code, message: 'injected', request_id: requestId } });
}

type InjectedFault = readonly [check: string, respond: (response: ServerResponse) => void];
/** One fault for each operation, and the check that should detect it. */
const injectedFaults: Readonly<Record<string, InjectedFault>> = {
  'POST /v1/videos': [
    'not_a_server_error',
    (response) => response.writeHead(500, headers).end(envelope('internal_error')),
  ],
  'GET ': ['status_code_conformance', (response) => response.writeHead(418, headers).end(envelope('invalid_input'))],
  'DELETE ': ['response_schema_conformance', (response) => response.writeHead(404, headers).end('{"error":{}}')],
  'POST ': [
    'response_headers_conformance',
    (response) => response.writeHead(429, headers).end(envelope('rate_limited')),
  ],
};

/** An endpoint that requires credentials like ours and then returns the injected fault. */
async function serveInjectedFaults(): Promise<{ server: Server; url: string }> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const call = `${request.method} ${request.url}`;
      const injected =
        call === 'POST /v1/videos'
          ? call
          : Object.keys(injectedFaults).find((name) => name.endsWith(' ') && call.startsWith(name));
      const respond = injectedFaults[injected ?? '']?.[1];
      if (!respond) throw new Error(`no fault is injected for ${call}`);
      if (request.headers.authorization === 'Bearer good') return respond(response);
      response.writeHead(401, { ...headers, 'www-authenticate': 'Bearer' }).end(envelope('invalid_credentials'));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

describe('fuzzing from openapi.yaml', () => {
  let program: string;
  before(async function () {
    this.timeout(INSTALL_MS);
    try {
      program = await schemathesis();
    } catch (error) {
      skipBecause(this, `schemathesis cannot be had from PyPI: ${messageOf(error).split('\n')[0]}`);
    }
  });

  describe('of gateway, auth and catalog', () => {
    let stack: FuzzStack;
    before(async function () {
      this.timeout(120_000);
      stack = await openFuzzStack(readServers(), `fuzz${process.pid}`);
    });
    after(() => stack.close());

    it('fuzzing gateway, auth and catalog finds no failure and no undocumented response', async function () {
      this.timeout(600_000);
      const found = await runFuzz({ program, url: stack.url, key: await stack.newKey(), seed: 4, examples: runs(20) });
      const { failures, undocumented, cases, statuses, phases } = found;
      expect({ failures, undocumented, exit: found.exitCode }, found.printed).to.deep.equal({
        failures: [],
        undocumented: [],
        exit: 0,
      });
      expect(cases).to.be.above(300);
      expect(phases).to.include.keys('coverage', 'fuzzing', 'stateful');
      expect(statuses).to.include.keys('200', '202', '400', '401', '404').and.not.to.have.any.keys('429', '500');
    });
  });

  describe('of responses with injected faults', () => {
    let server: Server;
    let found: Fuzzed;
    before(async function () {
      this.timeout(300_000);
      const origin = await serveInjectedFaults();
      server = origin.server;
      found = await runFuzz({ program, url: origin.url, key: 'good', seed: 1, examples: 1, phases: 'examples' });
    });
    after(() => {
      server.closeAllConnections();
      server.close();
    });

    it('fuzzing responses with injected faults fails', () => {
      expect(isFaulty(found)).to.equal(true);
      expect(found.exitCode, found.printed).to.equal(1);
    });
    it('fuzzing finds a server error, an unknown status, an invalid body and a missing header', () => {
      const checks = found.failures.map((failure) => failure.split(':')[0]);
      expect(checks).to.include.members(Object.values(injectedFaults).map(([check]) => check));
    });
    it('fuzzing lists each undocumented response by our own validation too', () => {
      expect(found.undocumented.join('\n'))
        .to.include('418: the contract does not list this status')
        .and.include("404: /error must have required property 'code'")
        .and.include('429: retry-after is missing');
    });
  });
});
