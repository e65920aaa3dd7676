import { spawn } from 'node:child_process';
import { once } from 'node:events';

/*
 * Runs a Node.js program beside eight busy loops, and exits with its code. The loops belong to the same session. Linux
 * shares the CPU equally between sessions: a loop in a session of its own takes as much time as all tests together.
 */

const loops = 8;

/** A busy loop that ends with its parent, even after a SIGKILL. */
const loop = `const parent = process.ppid;
for (;;) {
  for (let index = 0; index < 1e8; index += 1);
  if (process.ppid !== parent) process.exit();
}`;

const busy = Array.from({ length: loops }, () => spawn(process.execPath, ['--eval', loop], { stdio: 'ignore' }));
console.error(`${loops} busy loops run during npm test.`);
// Ctrl-C reaches the whole group: this process waits until the program has cleaned up.
process.on('SIGINT', () => undefined);
const program = spawn(process.execPath, process.argv.slice(2), { stdio: 'inherit' });
const [code] = (await once(program, 'exit')) as [number | null];
for (const one of busy) one.kill();
process.exitCode = code ?? 1;
