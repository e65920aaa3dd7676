import { networkInterfaces } from 'node:os';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openClosers } from '../../../lib/tools/local/json-file.ts';
import { startExternalServices } from '../../../lib/tools/local/external-services.ts';
import { bindAddress, portsFromEnvironment } from '../../../lib/tools/local/ports.ts';
import { temporaryDirectory } from './support.ts';

describe('HOST', () => {
  test.each([
    [undefined, '127.0.0.1'],
    ['', '127.0.0.1'],
    ['127.0.0.1', '127.0.0.1'],
    ['localhost', '127.0.0.1'],
    ['0.0.0.0', '0.0.0.0'],
    ['::', '::'],
  ])('makes servers listen, where it is %s, on %s', (HOST, address) => {
    expect(bindAddress({ HOST })).toBe(address);
  });

  test.each(['my-machine', '192.168.1.5', '*', 'constructor'])(
    'is rejected when it is %s, before the build',
    (HOST) => {
      for (const read of [bindAddress, portsFromEnvironment])
        expect(() => read({ HOST })).toThrow(
          `environment variable HOST must be one of 127.0.0.1, localhost, 0.0.0.0, ::, and is "${HOST}"`,
        );
    },
  );

  /** An address of this machine, where it has one, that reaches only servers on every interface. */
  const outers = Object.values(networkInterfaces())
    .flat()
    .filter((address) => address?.family === 'IPv4' && !address.internal)
    .flatMap((address) => address?.address ?? [])
    .slice(0, 1);

  const statusAt = (url: string, hostname: string): Promise<number | string> => {
    const target = new URL(url);
    target.hostname = hostname;
    return fetch(target).then(
      ({ status }) => status,
      () => 'not reached',
    );
  };

  test.each([
    ['127.0.0.1', 'not reached'],
    ['0.0.0.0', expect.any(Number)],
    ['::', expect.any(Number)],
  ])('gives URLs that this machine can call, with the value %s', async (HOST, fromOutside) => {
    vi.stubEnv('HOST', HOST);
    const closers = openClosers();
    onTestFinished(async () => {
      vi.unstubAllEnvs();
      await closers.close();
    });
    const options = { dataDir: await temporaryDirectory(), ports: {}, emit: () => undefined, closers };
    const { endpoints, identity, shop, receiver } = await startExternalServices(options);
    for (const url of [...Object.values(endpoints), identity.issuer, shop.url, receiver.url]) {
      const { hostname } = new URL(url);
      expect(hostname).toMatch(url === endpoints.dynamodb ? /^127\./ : /^127\.0\.0\.1$/);
      expect(await statusAt(url, hostname)).toEqual(expect.any(Number));
      for (const outer of outers) expect(await statusAt(url, outer)).toEqual(fromOutside);
    }
  });
});
