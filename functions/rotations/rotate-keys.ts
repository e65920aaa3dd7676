import { rotateKeys } from '../../lib/execution/rotate-keys.ts';

export const handler = rotateKeys;
