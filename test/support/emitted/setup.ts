import { inject } from 'vitest';
import '../stack.ts';
import './listen.ts';
import { openScope } from './record.ts';

/* Before each test file. */

openScope(inject('dataDir'));
