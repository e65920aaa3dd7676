import { vi } from 'vitest';
import { slowLimits } from './slow-limits.ts';

/*
 * Before each test file of those that share a process and must not know of it: our modules are loaded anew, in the
 * environment that the process began with. What they import of others stays loaded, which is most of what a process costs.
 */

const begun = Symbol.for('returns.environment');
const shared = globalThis as { [begun]?: NodeJS.ProcessEnv };

vi.useRealTimers();
slowLimits();
vi.unstubAllGlobals();
vi.unstubAllEnvs();
const environment = (shared[begun] ??= { ...process.env });
for (const name of Object.keys(process.env)) if (!(name in environment)) Reflect.deleteProperty(process.env, name);
Object.assign(process.env, environment);

vi.resetModules();
await import('./emitted/setup.ts');
