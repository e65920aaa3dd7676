import { slowTimers, timerScaleVariable } from './lambda-runtime/clock.ts';

/* Loaded by Node's --import, for a command with limits that are too short on a busy machine. */

slowTimers(Number(process.env[timerScaleVariable] ?? 1));
