import { slowTimers, timerScaleVariable } from './lambda-runtime/clock.ts';

/* Given to Node by --import, for a command whose limits are too short on a busy machine. */

slowTimers(Number(process.env[timerScaleVariable] ?? 1));
