import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Creates a directory that is removed after the test. */
export const temporaryDirectory = async (): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), 'returns-local-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
};

/** Returns the alias of a function in a template: triggers reach a function by it only. */
export const liveAliasOf = (functionId: string) => ({
  Type: 'AWS::Lambda::Alias',
  Properties: { FunctionName: { Ref: functionId }, FunctionVersion: '1', Name: 'live' },
});
