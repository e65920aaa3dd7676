import { describe } from 'vitest';
import { everyFunction } from './every-function.ts';

describe('connected', () => {
  everyFunction('connected');
});
