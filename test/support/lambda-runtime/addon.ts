import { writeSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { Socket } from 'node:net';
import { aheadHeader, setAhead } from './clock.ts';
import { report } from './leftovers.ts';
import { eventsFd, saidFd, type Answered } from './pipes.ts';

/*
 * Stands in for rapid-client.node, the part of aws-lambda-ric that a compiler would have to build. That speaks HTTP, by
 * curl and out of reach of the event loop; this speaks through pipes: `next` waits, `done` and `error` hold the event
 * loop until all is written. aws-lambda-ric/src/native/rapid-client.cc
 */

/** The next event, as the addon hands it over. */
export type Polled = { readonly bodyJson: string; readonly headers: IncomingHttpHeaders };

/** Holds the process only while it waits for an event. */
const events = new Socket({ fd: eventsFd, readable: true, writable: false }).setEncoding('utf8').unref();

/** One line: the next event comes when this one is over. */
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

/** Who reads lines takes these for the end of one, and JSON does not escape them. */
const lineEnds = /[\u2028\u2029]/g;
const escaped = (end: string): string => `\\u${end.charCodeAt(0).toString(16)}`;

const say = (answered: Answered): void => {
  const bytes = Buffer.from(`${JSON.stringify(answered).replace(lineEnds, escaped)}\n`);
  for (let at = 0; at < bytes.length;) at += writeSync(saidFd, bytes, at);
};

/** A socket that was destroyed is told so at the end of the loop's turn; if it spoke TLS, its state is freed in the next. */
const twoTurns = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

/** Waits for the next event. Before it does, the last one is over: the moment to see what is left of it. */
export const next = async (): Promise<Polled> => {
  await twoTurns();
  report();
  const polled = JSON.parse(await readLine()) as Polled;
  setAhead(Number(polled.headers[aheadHeader]));
  return polled;
};

/** Says what the handler answered, as JSON. */
export const done = (requestId: string, body: string): void => say({ requestId, kind: 'response', body });

/** Says what the handler threw, as JSON; nobody asks for X-Ray's view of it. */
export const error = (requestId: string, body: string): void => say({ requestId, kind: 'error', body });
