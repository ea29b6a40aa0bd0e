import { events } from '@vds/proto/events';
import { expect } from 'chai';
import fc from 'fast-check';
import { busNames, natsPrefix } from '../../src/bus/names.ts';

const table = Object.values(events);
const services = [...new Set(table.flatMap(({ owner, consumers }) => [owner, ...Object.keys(consumers)]))];
const words = fc.constantFrom('a', 'b', 'dead', 'x1', ...services);

/** Accepted prefixes, including those made of the words of other names. */
const prefix = fc
  .oneof(
    fc.constant(''),
    fc.stringMatching(/^[a-z][a-z0-9-]{0,19}$/),
    fc.array(words).map((all) => all.join('-')),
  )
  .filter(isAccepted);

/** Two of them; often one continues the other. */
const pair = fc
  .oneof(
    fc.tuple(prefix, prefix),
    fc.tuple(prefix, words).map(([one, word]): [string, string] => [one, one === '' ? word : `${one}-${word}`]),
  )
  .filter(([one, other]) => one !== other && isAccepted(other));

function isAccepted(value: string): boolean {
  try {
    return natsPrefix(value, 'NATS_PREFIX') === value;
  } catch {
    return false;
  }
}

/** Every stream of an installation, with the prefix of its subjects. */
function streamsOf(of: string): [stream: string, start: string][] {
  const names = busNames(of);
  return services.flatMap((service): [string, string][] => [
    [names.stream(service), `${names.subject(service)}.`],
    [names.deadStream(service), `${names.subject(`dead.${service}`)}.`],
  ]);
}

describe('names on NATS', () => {
  it('every name of the event table survives the way through NATS, whatever the prefix', () => {
    fc.assert(
      fc.property(prefix, fc.constantFrom(...table), (of, { subject, owner }) => {
        const names = busNames(of);
        expect(names.bareSubject(names.subject(subject))).to.equal(subject);
        expect(names.bareStream(names.stream(owner))).to.equal(busNames().stream(owner));
        expect(names.bareStream(names.deadStream(owner))).to.equal(busNames().deadStream(owner));
      }),
    );
  });

  it('two installations have no stream, no subject and no inbox in common', () => {
    fc.assert(
      fc.property(pair, ([one, other]) => {
        const [ours, theirs] = [streamsOf(one), streamsOf(other)];
        for (const [stream, start] of ours)
          for (const [foreign, foreignStart] of theirs) {
            expect(stream).not.to.equal(foreign);
            expect(start.startsWith(foreignStart), `${start} in ${foreignStart}`).to.equal(false);
            expect(foreignStart.startsWith(start), `${foreignStart} in ${start}`).to.equal(false);
          }
        const inboxes = services.flatMap((service) => [busNames(one).inbox(service), busNames(other).inbox(service)]);
        expect(new Set(inboxes).size).to.equal(inboxes.length);
      }),
      { numRuns: 500 },
    );
  });

  it('without a prefix the names are those of the event table', () => {
    const names = busNames();
    expect(names.subject('catalog.fetch.requested.v1')).to.equal('catalog.fetch.requested.v1');
    expect([names.stream('catalog'), names.deadStream('catalog')]).to.deep.equal(['CATALOG', 'DEAD_CATALOG']);
    expect(names.inbox('catalog')).to.equal('_INBOX_catalog');
  });

  it('a prefix comes before every name', () => {
    const names = busNames('team-a');
    expect(names.subject('dead.catalog.>')).to.equal('team-a.dead.catalog.>');
    expect([names.stream('catalog'), names.deadStream('catalog')]).to.deep.equal([
      'TEAM_A_CATALOG',
      'TEAM_A_DEAD_CATALOG',
    ]);
    expect(names.inbox('catalog')).to.equal('_INBOX_team-a_catalog');
    expect(() => names.bareSubject('team-b.catalog.fetch.requested.v1')).to.throw(/another installation/);
  });

  it('prefixes that would collide with the names of another installation are rejected', () => {
    for (const refused of ['dead', 'a-dead', 'catalog', 'indexer', 'A', '1a', 'a.b', 'a_b', '-a', 'a'.repeat(21)])
      expect(() => natsPrefix(refused, 'NATS_PREFIX'), refused).to.throw(/NATS_PREFIX must have up to 20 characters/);
    for (const accepted of ['', 'a', 'team-a', 'deadline', 'catalogs']) expect(isAccepted(accepted)).to.equal(true);
  });
});
