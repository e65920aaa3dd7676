import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  packageFiles,
  type PackageState,
  packageOffer,
  paramsOf,
  stacksFolder,
  withService,
} from '../template/package/package-offer.ts';
import type { Offer } from '../template/offer.ts';
import { offerOfStage } from './stage-offer.ts';
import type { StackTemplate } from '../template/package/nested-stacks.ts';
import { packagedStage } from '../template/package/stage-parameter.ts';
import { runNode } from '../command-line/run-node.ts';
import { type Command, endWithUsageError, readCommandLine } from '../command-line/command-line.ts';
import { readTemplate, type Template } from '../template/cloudformation/template.ts';
import { sha256 } from '../../runtime/hash.ts';
import { checkDeployment } from './check-deployment.ts';
import { reportSmoke } from './report-smoke.ts';
import { readStage, stageFile } from './stage-files.ts';
import { versionIds, withVersionIds } from './version-ids.ts';

type Instance = {
  readonly stage: string;
  readonly region: string;
  /** A value for every parameter of the template. */
  readonly parameters: Readonly<Record<string, string>>;
};

/** Returns the hash of a function's zip. */
const codeHash = (handler: string): string =>
  sha256(readFileSync(handler.replace(/\/index[.]handler$/, '.zip')), 'hex');

/**
 * Writes the package of one stage for osls. The versions of the functions get their ids, and the nested stacks are
 * added. The state file of osls gets the root, the stage, the region and the values of the parameters.
 *
 * @param from the folder of the package
 * @param into the folder to create
 */
const writeInstance = async (from: string, into: string, { stage, region, parameters }: Instance): Promise<void> => {
  const read = async (...path: readonly string[]) => readFile(join(from, ...path), 'utf8');
  await mkdir(join(into, stacksFolder), { recursive: true });
  const template = JSON.parse(await read(packageFiles.template)) as Template;
  const versions = versionIds(template, { codeHash, parameters });
  const root = withVersionIds(await read(packageFiles.root), versions);
  const state = JSON.parse((await read(packageFiles.state)).replaceAll(packagedStage, stage)) as PackageState;
  const stackParameters = Object.entries(parameters).map(([ParameterKey, ParameterValue]) => ({
    ParameterKey,
    ParameterValue,
  }));
  const compiledCloudFormationTemplate = JSON.parse(root) as StackTemplate;
  // Their variables point into the template that the root replaces, and a deployment does not read them.
  const functions = Object.fromEntries(
    Object.entries(state.service.functions).map(([name, lambda]) => [name, { ...lambda, environment: {} }]),
  );
  const provider = { ...state.service.provider, region, stage, stackParameters, compiledCloudFormationTemplate };
  await Promise.all([
    writeFile(
      join(into, packageFiles.state),
      JSON.stringify({ ...state, service: { ...state.service, provider, functions } }),
    ),
    writeFile(join(into, packageFiles.template), root),
    writeFile(join(into, packageFiles.core), await read(packageFiles.core)),
    ...(await readdir(join(from, stacksFolder))).map(async (file) =>
      writeFile(join(into, stacksFolder, file), withVersionIds(await read(stacksFolder, file), versions)),
    ),
  ]);
};

const command: Command = {
  call: 'npm run deploy',
  about:
    'Builds and packages the mode of a stage, checks its parameters and its Returns Service, deploys it, and runs the smoke\ntest. It reports all errors of the stage file before the first call to AWS.',
  options: {
    stage: { type: 'string', value: '<stage>', about: 'The stage. Its file is lib/tools/deploy/stages/<stage>.json.' },
    built: { type: 'boolean', about: 'Deploys the output of npm run package, without a build.' },
    check: { type: 'boolean', about: 'Ends after the checks and prints the deployment. Needs no credentials.' },
  },
  notes: 'The AWS SDK finds the credentials, for example by AWS_PROFILE.',
};

/** New routes of API Gateway take a while to become available. */
const smokeWaitMs = 60_000;

/** A stage that once uses an existing table needs the parameter in each deployment. */
const existingTable = 'ExistingTable';

const packageOf = ({ folder }: Offer): string => join('dist/package', folder);

/** Runs osls in this terminal. */
const runInTerminal = async (args: readonly string[], cwd: string): Promise<void> => {
  const child = spawn(process.execPath, args, { cwd, stdio: 'inherit' });
  const code = await new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('close', resolve),
  );
  if (code !== 0) throw new Error(`osls ended with ${code}`);
};

const build = async (offer: Offer): Promise<void> => {
  const { mode, adapter } = offer;
  console.log('Bundling the functions, about 12 s.');
  await runNode(['lib/tools/build/build.ts', ...(adapter === undefined ? [] : ['--adapter', adapter.name])]);
  console.log(`Packaging the ${mode} mode.`);
  await packageOffer('.', offer);
};

const deployPackage = async (offer: Offer, instance: Instance): Promise<void> =>
  withService('.', async (service, osls) => {
    const { stage, region } = instance;
    await writeInstance(packageOf(offer), join(service, 'instance'), instance);
    const options = ['--package', 'instance', '--stage', stage, '--region', region, ...paramsOf(offer)];
    await runInTerminal([osls, 'deploy', ...options], service);
  });

/** Returns why the adapter of a package must not replace the deployed one yet. */
const otherAdapterError = async (
  name: string,
  region: string,
  { Adapter, ExistingTable = '' }: Instance['parameters'],
): Promise<string | undefined> => {
  const { deployedParameter, deployedTable } = await import('./stack-outputs.ts');
  const deployed = await deployedParameter(name, region, 'Adapter');
  if (deployed === '' || Adapter === undefined || deployed === Adapter) return undefined;
  const { openWorkError, readOpenWork } = await import('./open-work.ts');
  const table = ExistingTable === '' ? await deployedTable(name, region) : ExistingTable;
  return table === undefined ? undefined : openWorkError(await readOpenWork(region, table), deployed);
};

/** Returns why the deployed stage must not be replaced. */
const replacementError = async (
  name: string,
  region: string,
  parameters: Instance['parameters'],
): Promise<string | undefined> => {
  const { deployedParameter } = await import('./stack-outputs.ts');
  const table = await deployedParameter(name, region, existingTable);
  if (table !== '' && parameters[existingTable] === '')
    return `parameter ${existingTable}: the stage uses ${table}. Without it, the stack would make an empty table.`;
  return otherAdapterError(name, region, parameters);
};

/** @throws {Error} when the Returns Service of a stage does not fit its deployment */
const assertServiceFits = async (offer: Offer, template: Template, { region, parameters }: Instance): Promise<void> => {
  if (offer.mode === 'standalone') return;
  const { serviceError } = await import('./check-service.ts');
  const { credentialVariables } = await import('./stack-outputs.ts');
  const access = await credentialVariables(region);
  const misfit = await serviceError({ offer, template, values: parameters, access });
  if (misfit !== undefined) throw new Error(misfit);
};

const main = async (): Promise<number> => {
  const { values } = readCommandLine(command);
  const name = values['stage'];
  if (typeof name !== 'string') return endWithUsageError(command, '--stage is missing.');
  const found = await readStage(name);
  if (!found.ok) return endWithUsageError(command, found.failure.join('\n'));
  const offered = await offerOfStage(found.value);
  if (!offered.ok) return endWithUsageError(command, `${stageFile(name)}: ${offered.failure}`);
  const { mode, region } = found.value;
  const offer = offered.value;
  const file = join(packageOf(offer), packageFiles.template);
  if (values['built'] !== true) await build(offer);
  else if (!existsSync(file)) return endWithUsageError(command, `${file} does not exist. Run npm run package.`);
  const template = await readTemplate(file);
  const checked = await checkDeployment(template, name, found.value);
  if (!checked.ok)
    return endWithUsageError(command, checked.failure.map((error) => `${stageFile(name)}: ${error}`).join('\n'));
  const parameters = checked.value;
  console.log(`The ${mode} mode as returns-${name} in ${region}:`);
  for (const [parameter, value] of Object.entries(parameters)) console.log(`  ${parameter}=${value}`);
  if (values['check'] === true) {
    console.log(`${stageFile(name)} has no errors. Nothing is deployed: leave out --check to deploy.`);
    return 0;
  }
  const replaced = await replacementError(name, region, parameters);
  if (replaced !== undefined) return endWithUsageError(command, `${stageFile(name)}: ${replaced}`);
  const instance = { stage: name, region, parameters };
  await assertServiceFits(offer, template, instance);
  await deployPackage(offer, instance);
  const { DomainName: domain = '' } = parameters;
  if (domain !== '') {
    // Its DNS record may not exist yet, and it may ask for a client certificate.
    console.log(
      `${domain} needs a DNS record to the output ApiDomainTarget. Then run npm run smoke -- --stage ${name}.`,
    );
    return 0;
  }
  const { deployedApi } = await import('./stack-outputs.ts');
  return reportSmoke({ api: await deployedApi(name, region), offer, waitMs: smokeWaitMs });
};

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
