import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

describe('npm in this folder', () => {
  it('prints errors and no warnings: an older Node than 24 runs `npm ci` only', () => {
    const { stdout } = spawnSync('npm', ['config', 'get', 'loglevel'], { encoding: 'utf8' });
    expect(stdout.trim()).toBe('error');
    const { status, stderr } = spawnSync('npm', ['run', 'no-such-script'], { encoding: 'utf8' });
    expect({ status, stderr }).toMatchObject({ status: 1, stderr: expect.stringContaining('Missing script') });
  });
});
