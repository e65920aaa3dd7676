import { inject } from 'vitest';
import type { StackInfo } from '../../lib/local/stack-info.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    stack: StackInfo;
    dataDir: string;
  }
}

export const ways = ['standalone', 'connected'] as const;
export type Way = (typeof ways)[number];

/** The stack that all test files share. */
export const stack = (): StackInfo => inject('stack');
