import { writeSync } from 'node:fs';
import { contextOf, loadHandler, timeout } from './invoke.ts';

/*
 * A cold start: loads the given bundle and invokes it with the event from the environment.
 * It writes the time and the CPU time since the start of the process, and the answer, to file descriptor 3, and ends.
 */

/** The output of this process. */
export type FirstAnswer = { readonly ms: number; readonly cpu: number; readonly answer: unknown };

const handler = await loadHandler(process.argv[2] ?? '');
const answer: unknown = await handler(JSON.parse(process.env['EVENT'] ?? ''), contextOf(Date.now() + timeout));
const ms = performance.now();
const { user, system } = process.cpuUsage();
writeSync(3, JSON.stringify({ ms, cpu: (user + system) / 1_000, answer } satisfies FirstAnswer));
process.exit(0);
