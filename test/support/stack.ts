import { join } from 'node:path';
import { inject } from 'vitest';
import type { StackInfo } from '../../lib/local/stack-info.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    stack: StackInfo;
    dataDir: string;
    /** The folder of this run's bundles in dist/. No other build writes there. */
    root: string;
    /** Whether the run includes every test that calls AWS through the stack. */
    wholeRun: boolean;
    /** Whether every test runs. */
    allFiles: boolean;
  }
}

export const modes = ['standalone', 'connected'] as const;
/** The slowdown of a machine with eight busy processes on two cores, with a reserve. */
export const timeScale = 12;

export type Mode = (typeof modes)[number];

/** Returns the stack that all test files share. */
export const stack = (): StackInfo => inject('stack');

/** Returns the file in which the stacks of this run record the AWS calls of the functions. */
export const callRecordIn = (dataDir: string): string => join(dataDir, 'calls.jsonl');
