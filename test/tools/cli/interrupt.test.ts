import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exampleAnswer } from '../../support/example-answer.ts';
import { fakeService, json, returns, temporaryFolder } from './harness.ts';

const id = 'ret_01KAJ3V9Z8QW4T6R2M5N7P0XYB';
const jobId = 'job_01KAJ4C2Z8QW4T6R2M5N7P0XYB';

describe('Ctrl-C', () => {
  it('ends a running command with 130, and names the key of an unknown outcome', async () => {
    await using fake = await fakeService(() => 'hang');
    const { code, out, error } = await returns(['approve', id, '--key', 'key-8'], {
      env: fake.env,
      onStart: (child) => void fake.service.received(1).then(() => child.kill('SIGINT')),
    });
    expect([code, out]).toEqual([130, '']);
    expect(error).toContain('Repeat with --key key-8');
    expect(error).toContain('Interrupted.');
  });

  it('ends a command that waits for a job, which continues at the service', async () => {
    await using fake = await fakeService(() =>
      json(200, exampleAnswer('getJob', { jobId, kind: 'export', status: 'running', progress: {} })),
    );
    const { code, error } = await returns(['jobs', 'wait', jobId], {
      env: fake.env,
      onStart: (child) => void fake.service.received(2).then(() => child.kill('SIGINT')),
    });
    expect([code, error]).toEqual([130, expect.stringContaining(`returns jobs wait ${jobId}`)]);
  });

  it('leaves no part of a file', async () => {
    await using fake = await fakeService(({ path }) =>
      path.startsWith('/v1/jobs/')
        ? json(
            200,
            exampleAnswer('getJob', {
              jobId,
              kind: 'export',
              status: 'done',
              files: [{ name: 'returns-1.csv', url: `${fake.service.origin}/files/1`, bytes: 100 }],
            }),
          )
        : 'drip',
    );
    await using folder = await temporaryFolder();
    const { code } = await returns(['jobs', 'download', jobId, '--out', folder.path], {
      env: fake.env,
      onStart: (child) => void fake.service.received(2).then(() => child.kill('SIGINT')),
    });
    expect([code, await readdir(folder.path)]).toEqual([130, []]);
  });

  it('ends the command of a keychain, and nothing was sent', async () => {
    await using fake = await fakeService(() => json(200, {}));
    await using folder = await temporaryFolder();
    await mkdir(join(folder.path, 'returns'));
    const wait = `process.stderr.write('waiting'); setInterval(() => undefined, 60_000)`;
    const stage = { serviceUrl: fake.service.origin, authUrl: fake.idp.server.origin, clientId: 'office' };
    const profiles = { prod: { ...stage, clientSecretCommand: [process.execPath, '-e', wait] } };
    await writeFile(join(folder.path, 'returns/config.json'), JSON.stringify({ profiles }), { mode: 0o600 });
    const { code } = await returns(['show', id], {
      env: { XDG_CONFIG_HOME: folder.path },
      onStart: (child) => void child.stderr?.once('data', () => child.kill('SIGINT')),
    });
    expect([code, fake.idp.server.connections() + fake.service.connections()]).toEqual([130, 0]);
  });

  it('ends a command with 143 at SIGTERM', async () => {
    await using fake = await fakeService(() => 'hang');
    const { code } = await returns(['show', id], {
      env: fake.env,
      onStart: (child) => void fake.service.received(1).then(() => child.kill('SIGTERM')),
    });
    expect(code).toBe(143);
  });
});
