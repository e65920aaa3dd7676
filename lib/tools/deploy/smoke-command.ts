import { readFileSync } from 'node:fs';
import { endWithUsageError, readCommandLine, type Command } from '../command-line/command-line.ts';
import { reportSmoke, type ClientCertificate } from './report-smoke.ts';
import { readStage } from './stage-files.ts';
import type { Stage } from './stage-file.ts';
import { offerOfStage } from './stage-offer.ts';
import { type Offer, offers } from '../template/offer.ts';

const command: Command = {
  call: 'npm run smoke',
  about: 'Calls every route of a deployment without a token: secured routes answer 401, public routes 200.',
  options: {
    stage: {
      type: 'string',
      value: '<stage>',
      about: 'The stage of the deployment. Needs AWS credentials without --api.',
    },
    api: {
      type: 'string',
      value: '<url>',
      about: 'The origin of the API, such as your own domain. --stage names its adapter.',
    },
    cert: { type: 'string', value: '<file>', about: 'A client certificate (PEM), if the API asks for one.' },
    key: { type: 'string', value: '<file>', about: 'The private key of the client certificate (PEM).' },
    wait: { type: 'string', value: '<seconds>', about: 'Seconds of retries for a wrong route; default 0.' },
  },
};

const { values } = readCommandLine(command);
const { stage, api, cert, key, wait = '0' } = values;

const stageOf = async (name: string): Promise<Stage> => {
  const found = await readStage(name);
  return found.ok ? found.value : endWithUsageError(command, found.failure.join('\n'));
};

const originOf = async (name: string | undefined, found: Stage | undefined): Promise<string> => {
  if (typeof api === 'string')
    return URL.parse(api)?.origin ?? endWithUsageError(command, `--api ${api} is not a URL.`);
  if (name === undefined || found === undefined) return endWithUsageError(command, '--stage or --api is missing.');
  // The CloudFormation client takes a moment to load, and --api does not need it.
  const { deployedApi } = await import('./stack-outputs.ts');
  return deployedApi(name, found.region);
};

const offerOf = async (found: Stage | undefined): Promise<Offer> => {
  if (found === undefined) return offers.connected;
  const offered = await offerOfStage(found);
  return offered.ok ? offered.value : endWithUsageError(command, offered.failure);
};

const readPem = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return endWithUsageError(command, `${file} is not readable.`);
  }
};

const certificateOf = (): ClientCertificate | undefined => {
  if (cert === undefined && key === undefined) return undefined;
  if (typeof cert !== 'string' || typeof key !== 'string')
    return endWithUsageError(command, '--cert and --key belong together.');
  return { cert: readPem(cert), key: readPem(key) };
};

if (!/^\d{1,4}$/.test(String(wait))) endWithUsageError(command, '--wait must be whole seconds.');
const certificate = certificateOf();
try {
  const name = typeof stage === 'string' ? stage : undefined;
  const found = name === undefined ? undefined : await stageOf(name);
  process.exitCode = await reportSmoke({
    api: await originOf(name, found),
    offer: await offerOf(found),
    certificate,
    waitMs: Number(wait) * 1_000,
  });
} catch (error) {
  console.error(`The smoke test did not run: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
