import { parseArgs } from 'node:util';
import { parseObject } from '../json.ts';
import { buildBundles, packageWays } from './build.ts';
import { runDemo } from './demo.ts';
import { findEngine } from './engine-choice.ts';
import { portsFromEnvironment } from './ports.ts';
import { openRecorder } from './recorder.ts';
import { startStack, type Stack, type StackOptions } from './stack.ts';

const dataDir = '.local';

const print = (line: string): void => console.log(line);

const seconds = (since: number): string => `${((Date.now() - since) / 1000).toFixed(1)} s`;

const timed = async <Result>(title: string, work: Promise<Result>): Promise<Result> => {
  const start = Date.now();
  const result = await work;
  print(`${title.padEnd(44)} ${seconds(start)}`);
  return result;
};

const samples = ({ info }: Stack, id: string): string => `
Connected way    ${info.connected.url}/v1   (the integration)
Standalone way   ${info.standalone.url}/v1   (the Returns Service)
Webhooks         ${info.webhooks.shopify.url}
Events           ${info.aws.eventBridge}/events   (what was put on EventBridge's buses)
Token endpoint   ${info.tokenUrl}
Credentials      ${dataDir}/stack.json, logs of the functions in ${dataDir}/logs/

Try it from another terminal, in this directory:

  SECRET=$(node -p "require('./${dataDir}/stack.json').clients.find((c) => c.clientId === 'returns-admin').clientSecret")
  TOKEN=$(curl -s ${info.tokenUrl} -d grant_type=client_credentials -d client_id=returns-admin -d "client_secret=$SECRET" \\
    --data-urlencode 'scope=returns:read returns:write' | node -p "JSON.parse(require('fs').readFileSync(0)).access_token")

  # read the return
  curl -sw '\\n' ${info.connected.url}/v1/returns/${id} -H "Authorization: Bearer $TOKEN"

  # a bad request
  curl -sw '\\n' ${info.connected.url}/v1/returns -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
    -H 'Idempotency-Key: one' -d '{"order":{"platform":"shopify"}}'
`;

/** The reasons of a failure, innermost last. */
const reasons = (error: unknown): string =>
  error instanceof Error
    ? [error.message, error.cause === undefined ? [] : reasons(error.cause)].flat().join('\n  because: ')
    : String(error);

const bringUp = async (options: Pick<StackOptions, 'fresh' | 'sharedToken' | 'returnTerms' | 'platforms'>) => {
  const start = Date.now();
  const recorder = openRecorder();
  const ports = portsFromEnvironment();
  const engine = await findEngine(process.env);
  await timed('bundled every function for both ways', buildBundles());
  await timed('packaged both ways to CloudFormation', packageWays());
  const stack = await timed(
    'started both ways and what they call',
    startStack({ dataDir, engine, ...options, ports, onEvent: recorder.record }),
  );
  print(`up after ${seconds(start)}`);
  return { stack, recorder };
};

const { values: flags } = parseArgs({
  options: {
    once: { type: 'boolean', default: false },
    fresh: { type: 'boolean', default: false },
    'shared-token': { type: 'boolean', default: false },
    terms: { type: 'string', default: '{}' },
    platforms: { type: 'string', default: 'shopify' },
  },
});

/** What is wrong with terms is told by the functions that go by them. */
const termsIn = (text: string): object => {
  const terms = parseObject(text);
  if (terms === undefined) throw new Error('--terms must be an object in JSON');
  return terms;
};

let stack: Stack | undefined;
let ending = false;

/** Ends everything in order; what does not end by itself ends with this process. */
const end = async (code: number): Promise<void> => {
  if (ending) process.exit(code);
  ending = true;
  await stack?.close();
  process.exit(code);
};

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end(flags.once ? 130 : 0));

try {
  const returnTerms = termsIn(flags.terms);
  const { fresh, platforms } = flags;
  const up = await bringUp({ fresh, platforms, sharedToken: flags['shared-token'], returnTerms });
  stack = up.stack;
  const id = await runDemo({ ...up, print });
  if (flags.once) await end(0);
  print(samples(stack, id));
  print('Ctrl-C ends it.');
} catch (error) {
  console.error(`\n${reasons(error)}\nWhat the functions wrote is in ${dataDir}/logs/.`);
  await end(1);
}
