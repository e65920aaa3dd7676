import { join } from 'node:path';
import type { StackEvent } from './events.ts';
import type { ExternalServices } from './external-services.ts';
import type { Closers } from './json-file.ts';
import { absentMode, startMode, type ModeProcess, type ModeSettings } from './mode-process.ts';
import { createResources } from './mode-resources.ts';
import type { BuiltOptions } from './stack-options.ts';

export type StackStart = {
  readonly options: BuiltOptions;
  readonly emit: (event: StackEvent) => void;
  readonly closers: Closers;
};

/** Returns a function that starts a mode with its resources. What it starts ends with the stack. */
export const openLauncher = (outside: ExternalServices, { options, emit, closers }: StackStart) => {
  const { dataDir, callRecord, modes, waitFor } = options;
  const up: ModeProcess[] = [];
  // Stops them together: each waits for its last read of the queue.
  closers.add(async () => void (await Promise.all(up.map((mode) => mode.stop()))));
  return async (own: ModeSettings) => {
    const recorded = callRecord === undefined ? own : { ...own, callRecord };
    const { reindex, ...resources } = await createResources(recorded, outside, options);
    const settings = { ...recorded, reindex: reindex && recorded.mode === 'standalone' };
    const { parameters } = settings;
    if (modes?.includes(settings.mode) === false) return { mode: absentMode(settings.mode), resources, parameters };
    const logFile = join(dataDir, 'logs', `${settings.mode}.log`);
    const mode = await startMode(settings, logFile, (event) => emit({ ...event, source: settings.mode }), waitFor);
    up.push(mode);
    return { mode, resources, parameters };
  };
};
