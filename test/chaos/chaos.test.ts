import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';

/** Runs `npm run chaos` without npm, and interrupts it once it has said a text. */
const chaos = async (args: readonly string[], interruptAfter?: string) => {
  const child = spawn(process.execPath, ['test/chaos/chaos.ts', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    const before = said;
    said += part;
    if (interruptAfter === undefined || before.includes(interruptAfter)) return;
    if (said.includes(interruptAfter)) child.kill('SIGINT');
  });
  const [output, code] = await Promise.all([
    text(child.stdout),
    new Promise((resolve) => void child.once('close', resolve)),
  ]);
  return { code, output, said };
};

describe('npm run chaos', () => {
  it('prints the faults so far and the seed when it is interrupted', async () => {
    const { code, output } = await chaos(['--seed', '5'], 'The load begins');
    expect(output).toContain('Faults, as times/requests that met them:');
    expect(output).toContain('Interrupted, so the books were not balanced');
    expect(output).toContain('npm run chaos -- --seconds 600 --seed 5');
    expect(code).toBe(130);
  });

  it.each([
    [['--seconds', '5'], '--seconds must be a whole number from 10 to 3600.'],
    [['--seed', 'x'], '--seed must be a whole number.'],
    [['--fast'], 'Unknown option --fast.'],
  ])('ends with 2 for %j', async (args, message) => {
    const { code, said } = await chaos(args);
    expect([code, said]).toEqual([2, expect.stringContaining(message)]);
  });
});
