/** The ports of an inspection that sees parts of a source alone: the rest reads as zeros, and is not looked at. */
import { join } from 'node:path';
import { failpoint } from '@vds/chassis/failpoint/failpoint';
import type { InspectPorts } from '../domain/jobs/inspect-source.ts';
import { sourceName } from '../domain/plan/encode-arguments.ts';
import { holds, type ByteRange } from '../domain/source/source-index.ts';
import { copying, inspectPorts, type Deps, type SourceJob } from './job-ports.ts';
import { repairSource } from './repair-source.ts';
import { withPackets } from './scratch-files.ts';
import { copyRanges } from './source-parts.ts';

/** No packet's headers are longer. */
const MAX_HEADERS = 65_536;

/** @param ranges what is there of the source, rising */
export function headPorts(deps: Deps, job: SourceJob, ranges: readonly ByteRange[]): InspectPorts {
  const path = join(deps.scratch, sourceName);
  const isThere = (range: ByteRange): boolean => holds(ranges, range);
  return {
    ...inspectPorts(deps, job),
    fetch: async () => {
      await copyRanges(deps.sources, job.request, { path, ranges }, job.signal, copying(deps, job));
      await failpoint('transcode.head-copied');
      await repairSource(path);
      return job.request.sourceBytes;
    },
    packets: (demuxer, work) =>
      withPackets(path, demuxer, (packetAt) =>
        work((at) => (isThere({ from: at, to: at + MAX_HEADERS }) ? packetAt(at) : undefined)),
      ),
    isThere,
  };
}
