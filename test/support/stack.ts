import { join } from 'node:path';
import { inject } from 'vitest';
import type { StackInfo } from '../../lib/local/stack-info.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    stack: StackInfo;
    dataDir: string;
    /** Where the bundles of this run lie, in dist/: no other build touches them. */
    root: string;
    /** Whether all tests that call AWS through the stack are run, and not only some. */
    wholeRun: boolean;
    /** Whether every test is run. */
    allFiles: boolean;
  }
}

export const modes = ['standalone', 'connected'] as const;
/** What a machine with eight busy processes on two cores takes longer, with some to spare. */
export const timeScale = 6;

export type Mode = (typeof modes)[number];

/** The stack that all test files share. */
export const stack = (): StackInfo => inject('stack');

/** Where the stacks of this run write down which calls of AWS the functions make. */
export const callRecordIn = (dataDir: string): string => join(dataDir, 'calls.jsonl');
