import { expect } from 'chai';
import { freePort, laneRanges, portRange, portVariable } from './free-port.ts';

describe('free ports', () => {
  it('the port ranges of lanes never meet', () => {
    const ranges = laneRanges.map((range) => portRange(portVariable(range)));
    for (const [index, range] of ranges.entries()) {
      expect(range.last).to.be.greaterThan(range.first);
      if (index > 0) expect(range.first).to.be.greaterThan(ranges[index - 1]!.last);
    }
  });

  for (const range of laneRanges)
    it(`every free port of a process lies in its own range, ${range.first} to ${range.last}`, async () => {
      const ports = await Promise.all(Array.from({ length: 50 }, () => freePort(range)));
      expect(ports.filter((port) => port < range.first || port > range.last)).to.deep.equal([]);
      expect(new Set(ports).size).to.equal(ports.length);
    });

  it('a process without a range draws from all', () => {
    expect(portRange({})).to.deep.equal({ first: laneRanges[0]!.first, last: laneRanges.at(-1)!.last });
  });

  for (const text of ['', '15000', '20000-15000', '0-10', '60000-70000', 'a-b'])
    it(`'${text}' is rejected as a range of ports`, () => {
      expect(() => portRange({ VDS_PORTS: text })).to.throw('VDS_PORTS must be a range');
    });
});
