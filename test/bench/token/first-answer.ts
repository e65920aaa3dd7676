import { writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Context } from 'aws-lambda';
import { contextOf } from '../context.ts';

/*
 * A cold start: loads the given bundle and invokes it with the event from the environment.
 * It writes the time and the CPU time since the start of the process to file descriptor 3, and ends.
 */

type Loaded = {
  readonly handler: (
    event: unknown,
    context: Context,
  ) => Promise<{ readonly statusCode: number; readonly body: string }>;
};

const { handler } = (await import(pathToFileURL(resolve(process.argv[2] ?? '')).href)) as Loaded;
const { statusCode, body } = await handler(JSON.parse(process.env['EVENT'] ?? ''), contextOf(Date.now() + 10_000));
const ms = performance.now();
const { user, system } = process.cpuUsage();
if (statusCode !== 200) throw new Error(`answered ${statusCode}: ${body}`);
writeSync(3, JSON.stringify({ ms, cpu: (user + system) / 1_000 }));
process.exit(0);
