import { join } from 'node:path';
import { inject } from 'vitest';
import type { StackInfo } from '../../lib/local/stack-info.ts';
import { startMode, type ModeProcess, type ModeSetting } from '../../lib/local/mode-process.ts';
import { forward, isFor } from './engine.ts';
import { startServer, type Received } from './http-server.ts';
import { startOwnStack, type OwnStack } from './own-stack.ts';
import { timeScale, type Mode } from './stack.ts';

/**
 * What happens to the next write: it is carried out, but its answer is lost. `once`: all is well from then on; `down`:
 * nothing is answered from then on.
 */
type Fault = 'none' | 'once' | 'down';

const settingOf = (stack: OwnStack, engine: string, mode: Mode, parameters: Readonly<Record<string, string>>) => {
  const { aws, issuer, audience } = stack.info;
  const setting: ModeSetting = {
    mode,
    dataDir: join(stack.dataDir, 'before-the-engine'),
    root: inject('root'),
    template: join(inject('root'), 'dist/package', mode, 'cloudformation-template-update-stack.json'),
    aws: { ...aws, dynamodb: engine },
    streams: false,
    schedules: false,
    events: false,
    timeScale,
    ports: { api: 0, hooks: 0, lambda: 0 },
    parameters: {
      TokenIssuer: issuer,
      TokenAudience: audience,
      ...parameters,
    },
  };
  return setting;
};

/** Workers of jobs that were begun write whenever they come to it: only whoever is asked has a key to remember. */
const isOfWorker = ({ body }: Received): boolean => body.includes('JOB#') && !body.includes('IDEMPOTENCY#');

/** Money goes back before the goods come, so that every command can be carried out. */
const returnTerms = { refundTiming: 'approved', fees: { returnShipping: 490 } };

/** Both modes once more, on a stack of their own, with a proxy before the engine that loses answers when it is told to. */
export const startFaultyEngine = async () => {
  const stack = await startOwnStack({ modes: [] });
  let fault: Fault | 'broken' = 'none';
  let lost = 0;
  const engine = await startServer(async (request) => {
    if (fault === 'broken') return 'reset';
    const answer = await forward(request, stack.info.aws.dynamodb);
    if (fault === 'none' || !isFor(request, 'TransactWriteItems') || isOfWorker(request)) return answer;
    lost += 1;
    fault = fault === 'down' ? 'broken' : 'none';
    return 'reset';
  });
  const started: ModeProcess[] = [];
  const launch = async (mode: Mode, parameters: Readonly<Record<string, string>> = {}) => {
    const logFile = join(stack.dataDir, 'logs', `${mode}-before-the-engine.log`);
    const running = await startMode(settingOf(stack, engine.origin, mode, parameters), logFile, () => undefined);
    started.push(running);
    return running.urls;
  };
  const standalone = await launch('standalone', { ReturnTerms: JSON.stringify(returnTerms) });
  const connected = await launch('connected', {
    ServiceUrl: standalone.api,
    AuthUrl: stack.info.issuer,
    ClientSecretId: 'returns/client',
  });
  const info: StackInfo = {
    ...stack.info,
    standalone: { url: standalone.api, hooksUrl: standalone.hooks, lambdaUrl: standalone.lambda },
    connected: { url: connected.api, lambdaUrl: connected.lambda },
  };
  return {
    info,
    /** Sets what happens to the next write. */
    arm: (next: Fault) => (fault = next),
    /** How many answers were lost so far. */
    lost: () => lost,
    close: async () => {
      await Promise.all(started.map((mode) => mode.stop()));
      await engine[Symbol.asyncDispose]();
      await stack.close();
    },
  };
};

export type FaultyEngine = Awaited<ReturnType<typeof startFaultyEngine>>;
