import { rotateKeys } from '../../lib/service/execution/rotate-keys.ts';

export const handler = rotateKeys;
