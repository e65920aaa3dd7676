import { vi } from 'vitest';
import { startContainer } from '../../lib/runtime/container.ts';
import { endSlowLimits } from './slow-limits.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** The environment in which every test file starts. Without these, an SDK client may find credentials of an account. */
const common: Variables = {
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  // An engine beside busy processes is slow. A test of a store that hangs ends by the deadline of its call.
  STORE_ATTEMPT_MS: '600000',
  // What is logged at any level is searched for secrets at the end of the run.
  LOG_LEVEL: 'debug',
};

// The process outlives this module.
const begun = Symbol.for('returns.environment');
const shared = globalThis as { [begun]?: NodeJS.ProcessEnv };

const assign = (variables: Variables): void => {
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) Reflect.deleteProperty(process.env, name);
    else process.env[name] = value;
  }
};

/** Gives a test file the environment of the run, real timers and a new container: files share a process. */
export const resetEnvironment = (): void => {
  vi.useRealTimers();
  endSlowLimits();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  const environment = (shared[begun] ??= { ...process.env });
  for (const name of Object.keys(process.env)) if (!(name in environment)) Reflect.deleteProperty(process.env, name);
  assign({ ...environment, ...common });
  startContainer();
};

/** Sets variables for the rest of the file, and starts a new container that reads them. Undefined removes a variable. */
export const setEnvironment = (variables: Variables): void => {
  assign(variables);
  startContainer();
};

/** Sets variables until {@link restoreEnvironment}, and starts a new container that reads them. */
export const stubEnvironment = (variables: Variables): void => {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  startContainer();
};

/** Ends {@link stubEnvironment}: for `afterEach`. */
export const restoreEnvironment = (): void => {
  vi.unstubAllEnvs();
  startContainer();
};

/** Names a table for writes of which a test only takes the items. The client that puts them names its own. */
export const nameTable = (): void => {
  if (process.env['TABLE_NAME'] === undefined) setEnvironment({ TABLE_NAME: 'unit' });
};
