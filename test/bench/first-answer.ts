import { writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Context } from 'aws-lambda';
import { contextOf } from './context.ts';

/*
 * A cold start: loads the given bundle and invokes it with the event from the environment.
 * It writes the time and the CPU time since the start of the process, and the answer, to file descriptor 3, and ends.
 */

/** The output of this process. */
export type FirstAnswer = { readonly ms: number; readonly cpu: number; readonly answer: unknown };

type Loaded = { readonly handler: (event: unknown, context: Context) => Promise<unknown> };

const { handler } = (await import(pathToFileURL(resolve(process.argv[2] ?? '')).href)) as Loaded;
const answer = await handler(JSON.parse(process.env['EVENT'] ?? ''), contextOf(Date.now() + 10_000));
const ms = performance.now();
const { user, system } = process.cpuUsage();
writeSync(3, JSON.stringify({ ms, cpu: (user + system) / 1_000, answer } satisfies FirstAnswer));
process.exit(0);
