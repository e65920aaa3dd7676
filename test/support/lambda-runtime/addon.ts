import { writeSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { Socket } from 'node:net';
import { aheadHeader, setAhead } from './clock.ts';
import { report } from './leftovers.ts';
import { eventsFd, saidFd, type Answered } from './pipes.ts';

/*
 * A fake rapid-client.node, the part of aws-lambda-ric that needs a compiler. The original uses HTTP by curl, outside
 * the event loop. This one uses pipes: `next` waits, `done` and `error` block the event loop until all is written.
 * aws-lambda-ric/src/native/rapid-client.cc
 */

/** The next event, in the format of the addon. */
export type Polled = { readonly bodyJson: string; readonly headers: IncomingHttpHeaders };

/** References the process only while it waits for an event. */
const events = new Socket({ fd: eventsFd, readable: true, writable: false }).setEncoding('utf8').unref();

/** Reads one line. The next event follows when this one has ended. */
const readLine = (): Promise<string> =>
  new Promise((resolve, reject) => {
    let line = '';
    const settle = (act: () => void): void => {
      events.off('data', read).off('close', fail).pause().unref();
      act();
    };
    const read = (chunk: string): void => {
      line += chunk;
      if (line.endsWith('\n')) settle(() => resolve(line));
    };
    const fail = (): void => settle(() => reject(new Error('Failed to get next invocation, error -1')));
    events.ref().on('data', read).once('close', fail).resume();
  });

/** Readers of lines treat these characters as line ends, and JSON does not escape them. */
const lineEnds = /[\u2028\u2029]/g;
const escaped = (end: string): string => `\\u${end.charCodeAt(0).toString(16)}`;

const say = (answered: Answered): void => {
  const bytes = Buffer.from(`${JSON.stringify(answered).replace(lineEnds, escaped)}\n`);
  for (let at = 0; at < bytes.length;) at += writeSync(saidFd, bytes, at);
};

/** Waits two turns. A destroyed socket emits its end after one turn, and frees the state of TLS in the next. */
const twoTurns = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

/** Waits for the next event. The previous one has ended: so its leftovers are reported first. */
export const next = async (): Promise<Polled> => {
  await twoTurns();
  report();
  const polled = JSON.parse(await readLine()) as Polled;
  setAhead(Number(polled.headers[aheadHeader]));
  return polled;
};

/** Sends the handler's response, as JSON. */
export const done = (requestId: string, body: string): void => say({ requestId, kind: 'response', body });

/** Sends the handler's error, as JSON. The X-Ray format is not used. */
export const error = (requestId: string, body: string): void => say({ requestId, kind: 'error', body });
