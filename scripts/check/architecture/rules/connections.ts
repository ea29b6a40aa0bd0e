/** Every call of another program or machine has a deadline: clients are opened where deadlines are set. */
import { filesThat, type Rule } from '../repository.ts';
import { sourceOf } from '../source.ts';

/** A way out of the process, and the files that may use it because they set its deadlines. */
type Way = { readonly modules: RegExp; readonly files: RegExp };

/** Code that runs in a cluster; tests and benches may call as they like. */
const programs = /^(services\/[^/]+\/src|deploy\/tools)\/(?!(.*\/)?test\/).*\.ts$/;

const ways: readonly Way[] = [
  { modules: /^minio$/, files: /^services\/_chassis\/src\/objects\/objects\.ts$/ },
  { modules: /^@nats-io\//, files: /^services\/_chassis\/src\/bus\// },
  { modules: /^@grpc\/grpc-js$/, files: /^services\/_chassis\/src\/rpc\// },
  { modules: /^@clickhouse\//, files: /^services\/analytics\/src\/outbound\/clickhouse-store\.ts$/ },
  { modules: /^@opensearch-project\//, files: /^services\/indexer\/src\/outbound\/open-search\.ts$/ },
  {
    modules: /^undici$/,
    files:
      /^services\/(_chassis\/src\/(http\/http-engine|cloud\/credentials-request)|captions\/src\/outbound\/engines\/openai)\.ts$/,
  },
  {
    modules: /^node:https?$/,
    files:
      /^services\/(_chassis\/src\/(http\/http|objects\/transport|process\/health)|gateway\/src\/inbound\/protocol-errors|ingest\/src\/outbound\/open-source)\.ts$/,
  },
  {
    modules: /^node:(net|tls)$/,
    files:
      /^(services\/(_chassis\/src\/(bus\/connection|database\/database|config\/tls-files|objects\/read-connection)|ingest\/src\/outbound\/dial-source)|deploy\/tools\/secrets\/certificates)\.ts$/,
  },
  { modules: /^node:(http2|dgram|dns)(\/|$)/, files: /^services\/ingest\/src\/outbound\/resolve-host\.ts$/ },
  {
    modules: /^node:child_process$/,
    files:
      /^(services\/(_chassis\/src\/sandbox\/(programs|sandbox)|captions\/src\/outbound\/engines\/(apertium|python-model))|deploy\/tools\/models\/pypi)\.ts$/,
  },
];

/** Files that open connections to PostgreSQL; everybody may import the package for its error classes. */
const opensPostgres =
  /^(services\/_chassis\/src\/database\/(database|pool-liveness|wait-for-schema)|deploy\/tools\/(migrate\/migration-lock|provision\/(databases|wait-for-server)))\.ts$/;

/** Files whose calls of the global fetch have a signal. */
const fetches =
  /^(deploy\/tools\/(provision\/(s3-admin|wait-for-server)|release-test\/endpoints|models\/hub)|services\/_player\/src\/storyboard)\.ts$/;

export const connections: Rule = {
  name: 'calls leave the process only through the files that set their deadlines',
  breaches: (repository) =>
    filesThat(repository, programs).flatMap(([path, text]) => {
      const { imports, members, calls } = sourceOf(path, text);
      return [
        ...imports
          .filter(
            ({ from, typeOnly }) =>
              !typeOnly && ways.some(({ modules, files }) => modules.test(from) && !files.test(path)),
          )
          .map(({ from, line }) => ({ what: `imports ${from}`, line })),
        ...members
          .filter((member) => /^pg\.(Pool|Client)$/.test(member.text) && !opensPostgres.test(path))
          .map((member) => ({ what: `uses ${member.text}`, line: member.line })),
        ...calls
          .filter(
            (call) => call.text === 'fetch' && !fetches.test(path) && !imports.some(({ from }) => from === 'undici'),
          )
          .map(({ line }) => ({ what: 'calls the global fetch', line })),
      ].map(({ what, line }) => `${path}:${line} ${what}: a call needs a deadline, see rules/connections.ts`);
    }),
};
