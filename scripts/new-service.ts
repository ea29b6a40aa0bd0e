/** Writes the rooms of a new service and says what comes next: `node scripts/new-service.ts <name>`. */
import { fileURLToPath } from 'node:url';
import { messageOf } from '@vds/shared/errors';
import { writeService } from './new-service/write-service.ts';

const [name = ''] = process.argv.slice(2);
try {
  const written = writeService(fileURLToPath(new URL('..', import.meta.url)), name);
  process.stdout.write(`${written.join('\n')}

Next:
  pnpm install                                    its packages
  proto/events.ts                                 what it says and hears: owner, hearers
  services/catalog/src/domain/stages.ts           if it is a stage: its needs and its deadline
  scripts/house/services.ts                       its doors and stores in development
  charts/vds/values.yaml                          the same in a cluster, under components
  npm run check
`);
} catch (error) {
  process.stderr.write(`new-service: ${messageOf(error)}\n`);
  process.exitCode = 1;
}
