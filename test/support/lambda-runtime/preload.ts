import { registerHooks } from 'node:module';
import { extname } from 'node:path';
import { slowTimers, timerScaleVariable } from './clock.ts';
import './leftovers.ts';

/* Given to Node by --import: aws-lambda-ric finds the addon of the tests, and is otherwise as it was published. */

// Compiled, it has another ending.
const addon = new URL(`./addon${extname(import.meta.url)}`, import.meta.url).href;

slowTimers(Number(process.env[timerScaleVariable] ?? 1));

registerHooks({
  resolve: (specifier, context, nextResolve) =>
    specifier === './rapid-client.node' ? { url: addon, shortCircuit: true } : nextResolve(specifier, context),
});
