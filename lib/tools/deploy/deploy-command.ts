import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Command, endWithUsageError, readCommandLine } from '../command-line/command-line.ts';
import { runNode } from '../command-line/run-node.ts';
import { readTemplate, type Template } from '../template/cloudformation/template.ts';
import { modes } from '../template/functions/function-row.ts';
import type { Offer } from '../template/offer.ts';
import { packageFiles, packageOffer } from '../template/package/package-offer.ts';
import { checkDeployment } from './check-deployment.ts';
import { deployPackage, type Instance, packageOf } from './deploy-package.ts';
import { newStageText } from './new-stage.ts';
import { reportSmoke } from './report-smoke.ts';
import { isStageName, parseStage, type Stage, stageNameRule, stagesFolder } from './stage-file.ts';
import { readStage, stageFile } from './stage-files.ts';
import { offerOfStage } from './stage-offer.ts';
import { deploymentLines, verdictOf } from './stage-report.ts';
import { templateWithoutCode } from './stage-template.ts';

const command: Command = {
  call: 'npm run deploy',
  about:
    'Builds and packages the mode of a stage, checks its parameters and its Returns Service, deploys it, and runs the smoke\ntest. It reports the errors of the stage file before the first call to AWS: first of its members, then of its values.',
  options: {
    stage: { type: 'string', value: '<stage>', about: 'The stage. Its file is lib/tools/deploy/stages/<stage>.json.' },
    built: { type: 'boolean', about: 'Deploys the output of npm run package, without a build.' },
    check: {
      type: 'boolean',
      about: 'Checks the stage file in about 10 s, without a build. Prints the deployment. Needs no credentials.',
    },
    init: { type: 'boolean', about: 'Writes a new stage file with all parameters explained, and ends.' },
    mode: { type: 'string', value: '<mode>', about: 'The mode of a new stage file: connected or standalone.' },
    adapter: { type: 'string', value: '<name>', about: 'The adapter of a new stage file in the connected mode.' },
    region: { type: 'string', value: '<region>', about: 'The region of a new stage file. Otherwise AWS_REGION.' },
  },
  notes: 'The AWS SDK finds the credentials, for example by AWS_PROFILE.',
};

/** New routes of API Gateway take a while to become available. */
const smokeWaitMs = 60_000;

/** A stage that once uses an existing table needs the parameter in each deployment. */
const existingTable = 'ExistingTable';

const build = async (offer: Offer): Promise<void> => {
  const { mode, adapter } = offer;
  console.log('Bundling the functions, about 12 s.');
  await runNode(['lib/tools/build/build.ts', ...(adapter === undefined ? [] : ['--adapter', adapter.name])]);
  console.log(`Packaging the ${mode} mode.`);
  await packageOffer('.', offer);
};

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

type Values = ReturnType<typeof readCommandLine>['values'];

/** The options that a new stage file gets. A stage that exists has them in its file. */
const initOptions = ['mode', 'adapter', 'region'] as const;

/** Writes the file of a new stage. An existing file stays as it is. */
const initStage = async (name: string, values: Values): Promise<number> => {
  const file = stageFile(name);
  if (!isStageName(name)) return endWithUsageError(command, `${name} is not a stage name. ${stageNameRule}`);
  if (existsSync(file)) return endWithUsageError(command, `${file} exists already. --init changes no file.`);
  const { mode, adapter, region = process.env['AWS_REGION'] } = values;
  if (mode === undefined) return endWithUsageError(command, `--init needs --mode ${modes.join(' or --mode ')}.`);
  // The check of the file asks for a region that is still missing.
  const stage = parseStage(JSON.stringify({ mode, adapter, region: region ?? 'eu-central-1', parameters: {} }));
  if (!stage.ok) return endWithUsageError(command, stage.failure.map((error) => `--${error}`).join('\n'));
  const offered = await offerOfStage(stage.value);
  if (!offered.ok) return endWithUsageError(command, `--${offered.failure}`);
  const template = await templateWithoutCode(offered.value);
  await mkdir(stagesFolder, { recursive: true });
  const text = newStageText({ offer: offered.value, template, region: region === undefined ? '' : stage.value.region });
  await writeFile(file, text, { flag: 'wx' });
  console.log(`${file} is written. Set its values, then run npm run deploy -- --stage ${name} --check.`);
  return 0;
};

/** Returns a value for each parameter of a stage, after a check; ends this process when a value is wrong. */
const checkedValues = async (template: Template, name: string, stage: Stage): Promise<Instance['parameters']> => {
  const checked = await checkDeployment(template, name, stage);
  if (!checked.ok) {
    const errors = checked.failure.map((error) => `${stageFile(name)}: ${error}`);
    return endWithUsageError(command, [...errors, verdictOf(stageFile(name), errors.length)].join('\n'));
  }
  console.log(deploymentLines(name, stage, checked.value).join('\n'));
  return checked.value;
};

const main = async (): Promise<number> => {
  const { values } = readCommandLine(command);
  const name = values['stage'];
  if (typeof name !== 'string') return endWithUsageError(command, '--stage is missing.');
  if (values['init'] === true) return initStage(name, values);
  const ofInit = initOptions.find((option) => values[option] !== undefined);
  if (ofInit !== undefined)
    return endWithUsageError(command, `--${ofInit} is for --init. The file of a stage has its ${ofInit}.`);
  const found = await readStage(name);
  if (!found.ok) return endWithUsageError(command, found.failure.join('\n'));
  const offered = await offerOfStage(found.value);
  if (!offered.ok) return endWithUsageError(command, `${stageFile(name)}: ${offered.failure}`);
  const { region } = found.value;
  const offer = offered.value;
  const isBuilt = values['built'] === true;
  const file = join(packageOf(offer), packageFiles.template);
  if (isBuilt && !existsSync(file)) return endWithUsageError(command, `${file} does not exist. Run npm run package.`);
  if (values['check'] === true) {
    const template = isBuilt ? await readTemplate(file) : await templateWithoutCode(offer);
    await checkedValues(template, name, found.value);
    console.log(`${verdictOf(stageFile(name), 0)} Nothing is deployed: leave out --check to deploy.`);
    return 0;
  }
  if (!isBuilt) await build(offer);
  const template = await readTemplate(file);
  const parameters = await checkedValues(template, name, found.value);
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
