import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { stack } from '../../support/stack.ts';

/** The sources as `git clone` and `npm ci` leave them: without dist/. */
const freshClone = (): string => {
  const root = mkdtempSync(join(tmpdir(), 'clone-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const name of ['lib', 'functions', 'package.json', 'package-lock.json', 'serverless.yml', 'CHANGELOG.md'])
    cpSync(name, join(root, name), { recursive: true });
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'));
  return root;
};

describe('the command line of a fresh clone', () => {
  it('writes the contract once, and calls the service', () => {
    const root = freshClone();
    const { clients, issuer, standalone } = stack();
    const { clientId = '', clientSecret = '' } = clients.find((one) => one.clientId === 'returns-admin') ?? {};
    const list = () =>
      spawnSync(process.execPath, ['--conditions=client', 'lib/tools/cli/start.ts', 'list', '--limit', '1', '--json'], {
        cwd: root,
        encoding: 'utf8',
        env: {
          PATH: process.env['PATH'],
          HOME: root,
          RETURNS_URL: standalone.url,
          RETURNS_AUTH_URL: issuer,
          RETURNS_CLIENT_ID: clientId,
          RETURNS_CLIENT_SECRET: clientSecret,
        },
      });
    const first = list();
    expect({ status: first.status, stderr: first.stderr }).toEqual({
      status: 0,
      stderr: expect.stringContaining('Writing the contract into dist/, about 10 s. It happens once.'),
    });
    expect(existsSync(join(root, 'dist/contract/answers.js'))).toBe(true);
    const second = list();
    expect({ status: second.status, stderr: second.stderr }).toEqual({
      status: 0,
      stderr: expect.not.stringContaining('Writing the contract'),
    });
  });
});
