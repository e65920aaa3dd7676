import { resetEnvironment } from '../environment.ts';
import './listen.ts';

/* Runs before each test file. */

resetEnvironment();
