import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256 } from '../../runtime/hash.ts';
import type { Template } from '../template/cloudformation/template.ts';
import type { Offer } from '../template/offer.ts';
import type { StackTemplate } from '../template/package/nested-stacks.ts';
import {
  packageFiles,
  type PackageState,
  paramsOf,
  stacksFolder,
  withService,
} from '../template/package/package-offer.ts';
import { packagedStage } from '../template/package/stage-parameter.ts';
import { versionIds, withVersionIds } from './version-ids.ts';

/** A stage with the values that its stack gets. */
export type Instance = {
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

/** The folder of the package of an offer. */
export const packageOf = ({ folder }: Offer): string => join('dist/package', folder);

/** Runs osls in this terminal. */
const runInTerminal = async (args: readonly string[], cwd: string): Promise<void> => {
  const child = spawn(process.execPath, args, { cwd, stdio: 'inherit' });
  const code = await new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('close', resolve),
  );
  if (code !== 0) throw new Error(`osls ended with ${code}`);
};

/** Deploys the package of an offer as a stage. */
export const deployPackage = async (offer: Offer, instance: Instance): Promise<void> =>
  withService('.', async (service, osls) => {
    const { stage, region } = instance;
    await writeInstance(packageOf(offer), join(service, 'instance'), instance);
    const options = ['--package', 'instance', '--stage', stage, '--region', region, ...paramsOf(offer)];
    await runInTerminal([osls, 'deploy', ...options], service);
  });
