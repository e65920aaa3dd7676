import { describe, expect, it } from 'vitest';
import { functionSpecs } from '../../lib/tools/local/emulators/functions.ts';
import type { FunctionSpec } from '../../lib/tools/local/emulators/function-spec.ts';
import type { Container } from '../support/lambda-runtime/container.ts';
import { deploymentOf, startPackaged } from '../support/lambda-runtime/packaged.ts';
import { startPlanted } from '../support/lambda-runtime/planted.ts';
import { inSoak, sample } from '../support/samples.ts';
import { stack } from '../support/stack.ts';
import type { Mode } from '../../lib/tools/template/functions/function-row.ts';

const specOf = async (mode: Mode, key: string): Promise<FunctionSpec> => {
  const spec = functionSpecs(await deploymentOf(mode, stack())).find((one) => one.key === key);
  if (spec === undefined) throw new Error(`there is no function ${key}`);
  return spec;
};

/** Returns the output and the exit code of a function that does not load. */
const faultOf = async (starting: Promise<Container>) => {
  await using container = await starting;
  const { code, initError } = await container.ended;
  return { code, type: initError?.errorType, message: initError?.errorMessage, log: await container.log() };
};

describe.concurrent('function that does not load', () => {
  it.each(
    sample(
      [
        ['standalone', 'getReturn', 'TABLE_NAME'],
        ['standalone', 'getHistory', 'SIGNING_SECRET_ID'],
        ['connected', 'getReturn', 'SERVICE_URL'],
        ['connected', 'getReturn', 'AUTH_URL'],
        ['connected', 'getReturn', 'CLIENT_SECRET_ID'],
        ['connected', 'receiveWebhook', 'PLATFORM_SECRETS'],
        ['connected', 'process', 'INBOX_QUEUE_URL'],
      ] as const,
      3,
    ),
  )('names a missing variable (%s %s: %s)', async (mode, key, variable) => {
    const fault = await faultOf(startPackaged(mode, await specOf(mode, key), stack(), { [variable]: undefined }));
    const message = `environment variable ${variable} is required`;
    expect(fault).toMatchObject({ code: 1, type: 'Error', message });
    expect(fault.log).toContain(message);
  });

  it.each(
    sample(
      [
        ['SERVICE_URL', 'http://service.example.com', 'must begin with https://'],
        ['INBOX_MAX_RECEIVES', '0', 'must be a whole number above 0'],
      ] as const,
      2,
    ),
  )('names an invalid variable (%s)', async (variable, value, words) => {
    const starting = startPackaged('connected', await specOf('connected', 'process'), stack(), { [variable]: value });
    expect(await faultOf(starting)).toMatchObject({ code: 1, message: `environment variable ${variable} ${words}` });
  });

  it.each(inSoak('names a handler that its zip does not contain'))('%s', async () => {
    const spec = await specOf('standalone', 'getReturn');
    const start = (handler: string) => startPackaged('standalone', { ...spec, handler }, stack());
    expect(await faultOf(start(spec.handler.replace(/handler$/, 'absent')))).toMatchObject({
      code: 1,
      type: 'Runtime.HandlerNotFound',
      message: 'dist/standalone/getReturn/index.absent is undefined or not exported',
    });
    expect(await faultOf(start(spec.handler.replace('index', 'absent')))).toMatchObject({
      code: 1,
      type: 'Runtime.ImportModuleError',
    });
  });

  it.each(inSoak('names a module that throws'))('%s', async () => {
    const fault = await faultOf(startPlanted("throw new TypeError('no such thing');"));
    expect(fault).toMatchObject({ code: 1, type: 'TypeError', message: 'no such thing' });
  });

  it('names a package that its zip lacks, although the project has it', async () => {
    const fault = await faultOf(startPlanted("import 'undici'; export const handler = async () => {};"));
    expect(fault).toMatchObject({ code: 1, message: expect.stringContaining("Cannot find package 'undici'") });
  });
});
