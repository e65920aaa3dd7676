import { enableCompileCache } from 'node:module';
import { endWithUsageError } from '../command-line/command-line.ts';
import { clockTime, takeLock } from './lock.ts';
import { readStartRequest, startCommand } from './start-command.ts';

// Modules that load after this line are compiled once for all starts.
enableCompileCache('.local/bundles/compiled');

const request = await readStartRequest(process.argv.slice(2), process.env);
if (request.kind === 'wrong') endWithUsageError(startCommand, request.message);
else if (request.kind === 'help') console.log(request.text);
else {
  const now = new Date();
  const { dataDir, offer } = request.options;
  const lock = takeLock(dataDir, now);
  if (lock.kind === 'held') {
    const since = clockTime(new Date(lock.by.startedAt), now);
    console.error(
      `A stack is already running in ${dataDir} (pid ${lock.by.pid}) since ${since}. Use --data-dir for another stack.`,
    );
    process.exit(1);
  }
  const what = offer?.adapter === undefined ? 'both modes' : `the adapter ${offer.adapter.name}`;
  console.log(`Returns in ${dataDir}, ${what}: the first start takes about 20 s, later ones about 5 s.`);
  // The local stack takes a second to load, so the arguments are checked first.
  const { run } = await import('./run.ts');
  await run(request.options);
}
