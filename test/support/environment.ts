import { vi } from 'vitest';
import { startContainer } from '../../lib/runtime/container.ts';
import { endSlowLimits } from './slow-limits.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** The initial environment of every test file. Without it, an SDK client may find credentials of an account. */
const common: Variables = {
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  // An engine on a busy machine is slow. A test of a store that hangs ends by the deadline of its call.
  STORE_ATTEMPT_MS: '600000',
  // The end of the run searches the log of every level for secrets.
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

/** Resets the environment, the timers and the container for a test file: files share a process. */
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

/**
 * Sets variables for the rest of the file, and starts a new container that reads them. Undefined removes a variable.
 */
export const setEnvironment = (variables: Variables): void => {
  assign(variables);
  startContainer();
};

/** Sets variables until {@link restoreEnvironment}, and starts a new container that reads them. */
export const stubEnvironment = (variables: Variables): void => {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  startContainer();
};

/** Ends {@link stubEnvironment}. Used in `afterEach`. */
export const restoreEnvironment = (): void => {
  vi.unstubAllEnvs();
  startContainer();
};

/** Sets a table name for tests that only read the items of a write. The client that puts them names its own table. */
export const nameTable = (): void => {
  if (process.env['TABLE_NAME'] === undefined) setEnvironment({ TABLE_NAME: 'unit' });
};
