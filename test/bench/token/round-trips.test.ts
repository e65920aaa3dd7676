import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { listen } from '../../../lib/local/ports.ts';
import { startRoundTrips } from './round-trips.ts';

describe('startRoundTrips', () => {
  test('relays all data in order, in both directions, to the end', async () => {
    const echo = createServer((socket: Socket) => socket.pipe(socket));
    const server = await startRoundTrips(await listen(echo, 0), 2);
    onTestFinished(async () => {
      await server.close();
      echo.close();
    });
    const socket = connect({ port: Number(new URL(server.origin).port), host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    const lines = Array.from({ length: 200 }, (_, line) => `${line}\n`);
    for (const line of lines) socket.write(line);
    socket.end();
    expect(await text(socket)).toBe(lines.join(''));
  });

  test('uses the protocol of its target', async () => {
    const server = await startRoundTrips('https://127.0.0.1:9', 1);
    onTestFinished(server.close);
    expect(server.origin).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  });
});
