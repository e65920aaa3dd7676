import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../../../lib/local/ports.ts';
import { startRoundTrips } from './round-trips.ts';

test('hands on all that is sent, in order and both ways, to the end', async () => {
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

test('keeps the protocol of what it stands before', async () => {
  const server = await startRoundTrips('https://127.0.0.1:9', 1);
  onTestFinished(server.close);
  expect(server.origin).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
});
