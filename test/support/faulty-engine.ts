import { join } from 'node:path';
import type { StackInfo } from '../../lib/tools/local/stack-info.ts';
import { startMode, type ModeProcess, type ModeSettings } from '../../lib/tools/local/mode-process.ts';
import { forward, isFor } from './engine.ts';
import { startServer, type Received } from './http-server.ts';
import { startOwnStack, type OwnStack } from './own-stack.ts';
import { timeScale } from './slow-limits.ts';
import type { Mode } from '../../lib/tools/template/functions/function-row.ts';
import { bundleRoot, packageFile } from './bundles.ts';
import { packageFiles } from '../../lib/tools/template/package/package-offer.ts';

/**
 * The fate of the next write: it is stored, but its response is lost. `once`: later writes succeed. `down`: all later
 * requests get no response.
 */
type Fault = 'none' | 'once' | 'down';

const settingOf = (stack: OwnStack, engine: string, mode: Mode, parameters: Readonly<Record<string, string>>) => {
  const { aws, issuer, audience } = stack.info;
  const setting: ModeSettings = {
    mode,
    dataDir: join(stack.dataDir, 'before-the-engine'),
    root: bundleRoot(),
    template: packageFile(mode, packageFiles.template),
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

/** Workers of jobs write at any time. Only the requests of a caller have a key. */
const isOfWorker = ({ body }: Received): boolean => body.includes('JOB#') && !body.includes('IDEMPOTENCY#');

/** Refunds precede the receipt of goods, so that every command is allowed. */
const returnTerms = { refundTiming: 'approved', fees: { returnShipping: 490 } };

/** Starts both modes on their own stack, with a proxy before the engine that loses responses on request. */
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
    /** Sets the fate of the next write. */
    arm: (next: Fault) => (fault = next),
    /** Returns the number of lost responses. */
    lost: () => lost,
    close: async () => {
      await Promise.all(started.map((mode) => mode.stop()));
      await engine[Symbol.asyncDispose]();
      await stack.close();
    },
  };
};

export type FaultyEngine = Awaited<ReturnType<typeof startFaultyEngine>>;
