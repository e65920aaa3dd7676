import { inject } from 'vitest';
import { resetEnvironment } from '../environment.ts';
import '../stack.ts';
import './listen.ts';
import { openScope } from './record.ts';

/* Runs before each test file. */

resetEnvironment();
openScope(inject('dataDir'));
