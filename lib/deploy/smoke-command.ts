import { endWithUsageError, readCommandLine, type Command } from '../cli/command-line.ts';
import { reportSmoke } from './report-smoke.ts';
import { readStage } from './stage-files.ts';

const command: Command = {
  call: 'npm run smoke',
  about: 'Asks every route of a deployment without a token: secured ones answer 401, and open ones 200.',
  options: {
    stage: { type: 'string', value: '<stage>', about: 'The deployment of this stage. Needs credentials of AWS.' },
    api: { type: 'string', value: '<url>', about: 'The origin of another API, such as your own domain.' },
    wait: { type: 'string', value: '<seconds>', about: 'How long to ask a wrong route again; by default 0.' },
  },
};

const { values } = readCommandLine(command);
const { stage, api, wait = '0' } = values;

const originOf = async (): Promise<string> => {
  if (typeof api === 'string') return URL.parse(api)?.origin ?? endWithUsageError(command, `--api ${api} is no URL.`);
  if (typeof stage !== 'string') return endWithUsageError(command, 'Name a deployment: --stage or --api.');
  const found = await readStage(stage);
  if (!found.ok) return endWithUsageError(command, found.failure.join('\n'));
  // The client of CloudFormation takes a moment to load, and --api needs none.
  const { deployedApi } = await import('./stack-outputs.ts');
  return deployedApi(stage, found.value.region);
};

if (!/^\d{1,4}$/.test(String(wait))) endWithUsageError(command, '--wait takes whole seconds.');
try {
  process.exitCode = await reportSmoke({ api: await originOf(), waitMs: Number(wait) * 1_000 });
} catch (error) {
  console.error(`The smoke test did not run: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
