import { registerHooks } from 'node:module';
import './leftovers.ts';

/* Given to Node by --import: aws-lambda-ric finds its addon in TypeScript, and is otherwise as it was published. */

const addon = new URL('./addon.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, nextResolve) =>
    specifier === './rapid-client.node' ? { url: addon, shortCircuit: true } : nextResolve(specifier, context),
});
