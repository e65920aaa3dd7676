import { registerHooks } from 'node:module';
import { extname } from 'node:path';
import { slowTimers, timerScaleVariable } from './clock.ts';
import './leftovers.ts';

/* Loaded by Node's --import: aws-lambda-ric uses the addon of the tests, and is otherwise as published. */

// The compiled file has another extension.
const addon = new URL(`./addon${extname(import.meta.url)}`, import.meta.url).href;

slowTimers(Number(process.env[timerScaleVariable] ?? 1));

registerHooks({
  resolve: (specifier, context, nextResolve) =>
    specifier === './rapid-client.node' ? { url: addon, shortCircuit: true } : nextResolve(specifier, context),
});
