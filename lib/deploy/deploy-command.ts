import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { packageFiles, packageWay, withService } from '../build/package/package-way.ts';
import { runNode } from '../build/run-node.ts';
import { endWithUsageError, readCommandLine, type Command } from '../cli/command-line.ts';
import { readTemplate } from '../local/cloudformation/template.ts';
import { checkDeployment } from './check.ts';
import { writeInstance, type Instance } from './instance.ts';
import { reportSmoke } from './report-smoke.ts';
import { readStage, stageFile } from './stage-files.ts';
import type { Stage } from './stage-file.ts';

const command: Command = {
  call: 'npm run deploy',
  about:
    'Builds and packages the mode of a stage, checks its parameters, deploys it, and runs the smoke test.\nWhat is wrong is said before AWS is asked for anything.',
  options: {
    stage: { type: 'string', value: '<stage>', about: 'The stage, as lib/deploy/stages/<stage>.json describes it.' },
    built: { type: 'boolean', about: 'Deploys what npm run package wrote, and builds nothing.' },
    check: { type: 'boolean', about: 'Ends after the checks: shows what would be deployed, and needs no credentials.' },
  },
  notes: 'The credentials are those that the SDK of AWS finds, such as AWS_PROFILE.',
};

/** API Gateway takes a while to have all routes everywhere. */
const smokeWaitMs = 60_000;

const packageOf = (way: string): string => join('dist/package', way);

/** Runs osls in this terminal. */
const runInTerminal = async (args: readonly string[], cwd: string): Promise<void> => {
  const child = spawn(process.execPath, args, { cwd, stdio: 'inherit' });
  const code = await new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('close', resolve),
  );
  if (code !== 0) throw new Error(`osls ended with ${code}`);
};

const build = async ({ way }: Stage): Promise<void> => {
  console.log('Bundling the functions, about 15 s.');
  await runNode(['lib/build/build.ts']);
  console.log(`Packaging the ${way} mode.`);
  await packageWay('.', way);
};

const deployPackage = async (way: Stage['way'], instance: Instance): Promise<void> =>
  withService('.', async (service, osls) => {
    const { stage, region } = instance;
    await writeInstance(packageOf(way), join(service, 'instance'), instance);
    const options = ['--package', 'instance', '--stage', stage, '--region', region, '--param', `way=${way}`];
    await runInTerminal([osls, 'deploy', ...options], service);
  });

const main = async (): Promise<number> => {
  const { values } = readCommandLine(command);
  const name = values['stage'];
  if (typeof name !== 'string') return endWithUsageError(command, 'Name the stage to deploy: --stage.');
  const found = await readStage(name);
  if (!found.ok) return endWithUsageError(command, found.failure.join('\n'));
  const { way, region } = found.value;
  const template = join(packageOf(way), packageFiles.template);
  if (values['built'] !== true) await build(found.value);
  else if (!existsSync(template)) return endWithUsageError(command, `There is no ${template}: npm run package.`);
  const checked = checkDeployment(await readTemplate(template), name, found.value);
  if (!checked.ok)
    return endWithUsageError(command, checked.failure.map((fault) => `${stageFile(name)}: ${fault}`).join('\n'));
  const parameters = checked.value;
  console.log(`The ${way} mode as returns-${name} in ${region}:`);
  for (const [parameter, value] of Object.entries(parameters)) console.log(`  ${parameter}=${value}`);
  if (values['check'] === true) return 0;
  await deployPackage(way, { stage: name, region, parameters });
  const { deployedApi } = await import('./stack-outputs.ts');
  return reportSmoke({ api: await deployedApi(name, region), waitMs: smokeWaitMs });
};

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
