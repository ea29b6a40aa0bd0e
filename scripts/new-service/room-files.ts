/** The files of a new service: a stage that hears requests. What it stores, answers and says is added where it belongs. */

const readme = (name: string): string => `# ${name}

One sentence: what the house cannot do without this service.

## Owns

Nothing yet: tables, buckets, indexes.

## Hears

Nothing yet: each event of proto/events.ts with what is done about it.

## Says

Nothing yet: each event with when it is said.

## Answers

Nothing yet: each RPC or HTTP door with who may call it.

## Fails how

- NATS is away: the service is not ready; it hears what was said as soon as it is back.

## Scales by what

Ready work.
`;

const manifest = (name: string): string =>
  `${JSON.stringify(
    {
      name: `@vds/${name}`,
      version: '1.0.0',
      private: true,
      type: 'module',
      dependencies: { '@vds/proto': 'workspace:*', '@vds/shared': 'workspace:*' },
    },
    null,
    2,
  )}\n`;

const config = (name: string): string => `/** Variables of ${name}, beside those of every service. */
import { busConfig } from '@vds/shared/bus';
import type { ConfigSpec } from '@vds/shared/config';

export const ${name}Config = { ...busConfig } as const satisfies ConfigSpec;
`;

const main = (name: string): string => `/** Composition root of ${name}. */
import { connectBus } from '@vds/shared/bus';
import { run } from '@vds/shared/run';
import { ${name}Config } from './config.ts';
import { ${name}Ears } from './inbound/events.ts';

await run('${name}', ${name}Config, async ({ config, log, health, metrics, own }) => {
  const bus = own('bus', await connectBus({ ...config, service: '${name}', log, metrics }));
  health.add('bus', bus.check);
  bus.subscribe(${name}Ears());
});
`;

const domain = (): string => `/** What a stage does with a request, which is said again until its last fact is heard. */

/** What the stage's own rows know of the request. */
export type Known = 'nothing' | 'open' | 'finished';

/** The first request starts the work; a repeat is ignored while it runs, and answered again once it has ended. */
export const onRequest = (known: Known): 'start' | 'ignore' | 'answer again' => {
  if (known === 'nothing') return 'start';
  return known === 'open' ? 'ignore' : 'answer again';
};
`;

const inbound = (
  name: string,
): string => `/** What ${name} hears; each is bound to its use case by \`hear(events.<name>, …)\`. */
import type { Ear } from '@vds/shared/bus';

export const ${name}Ears = (): readonly Ear[] => [];
`;

const test = (): string => `import { expect } from 'chai';
import { onRequest } from '../src/domain/on-request.ts';

describe('a request of a stage', () => {
  it('starts what is not known', () => expect(onRequest('nothing')).to.equal('start'));
  it('is ignored while the work is open', () => expect(onRequest('open')).to.equal('ignore'));
  it('is answered again once the work has ended', () => expect(onRequest('finished')).to.equal('answer again'));
});
`;

/** Path inside the repository → text, for a service of this name. */
export const roomFiles = (name: string): Readonly<Record<string, string>> => {
  const room = `services/${name}`;
  return {
    [`${room}/README.md`]: readme(name),
    [`${room}/package.json`]: manifest(name),
    [`${room}/src/main.ts`]: main(name),
    [`${room}/src/config.ts`]: config(name),
    [`${room}/src/domain/on-request.ts`]: domain(),
    [`${room}/src/inbound/events.ts`]: inbound(name),
    [`${room}/test/on-request.test.ts`]: test(),
  };
};
