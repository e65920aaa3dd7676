import { join } from 'node:path';
import { inject } from 'vitest';
import type { StackInfo } from '../../lib/tools/local/stack-info.ts';

/* The stack that all test files of a run share. A file that imports this module runs in the project `stack`. */

declare module 'vitest' {
  export interface ProvidedContext {
    stack: StackInfo;
    dataDir: string;
  }
}

/** Returns the stack that all test files share. */
export const stack = (): StackInfo => inject('stack');

/** Returns the data directory of that stack. */
export const stackDataDir = (): string => inject('dataDir');

/** Returns the file in which the stacks of this run record the AWS calls of the functions. */
export const callRecordIn = (dataDir: string): string => join(dataDir, 'calls.jsonl');
