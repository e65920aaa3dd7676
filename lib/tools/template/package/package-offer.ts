import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runNode } from '../../command-line/run-node.ts';
import { hasInbox } from '../functions.ts';
import { splitByFunctions } from './function-stacks.ts';
import type { StackTemplate } from './nested-stacks.ts';
import { forEveryStage, packagedStage } from './stage-parameter.ts';
import type { Offer } from '../offer.ts';
import { withUsedParts } from './used-parts.ts';

/** The state that osls stores of a package for its deployment. */
export type PackageState = {
  readonly service: {
    readonly functions: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    readonly provider: {
      readonly compiledCloudFormationTemplate: StackTemplate;
      /** osls creates the stack from this template, which holds a bucket for the code, and then updates it. */
      readonly coreCloudFormationTemplate: StackTemplate;
    };
  };
  /** The folder of the deployment bucket that holds the code. */
  readonly package: { readonly artifactDirectoryName: string };
};

/**
 * The files of a package. `template` holds all resources. `stacks/` holds the same resources as one root and a nested
 * stack for each group of functions, as they are deployed.
 */
export const packageFiles = {
  template: 'cloudformation-template-update-stack.json',
  core: 'cloudformation-template-create-stack.json',
  state: 'serverless-state.json',
  root: 'root.json',
} as const;

export const stacksFolder = 'stacks';

type Parameters = NonNullable<StackTemplate['Parameters']>;

/**
 * Returns the parameters of a template with the defaults of an adapter.
 *
 * @throws Error for a parameter that the template does not have
 */
const withDefaults = (parameters: Parameters, { adapter }: Offer): Parameters => {
  const defaults = Object.entries(adapter?.parameters ?? {});
  const unknown = defaults.find(([name]) => !Object.hasOwn(parameters, name));
  if (unknown !== undefined) throw new Error(`lib/adapters/${adapter?.name}: no parameter ${unknown[0]} exists`);
  return {
    ...parameters,
    ...Object.fromEntries(defaults.map(([name, Default]) => [name, { ...parameters[name], Default }])),
  };
};

/** Turns a package of one stage into one for every stage, and adds the stacks. */
const openToStages = async (folder: string, offer: Offer): Promise<void> => {
  const read = async (file: keyof typeof packageFiles) =>
    JSON.parse(await readFile(join(folder, packageFiles[file]), 'utf8')) as unknown;
  const write = async (file: keyof typeof packageFiles, content: object) =>
    writeFile(join(folder, packageFiles[file]), JSON.stringify(content, null, 2));
  const packaged = withUsedParts(forEveryStage((await read('template')) as StackTemplate) as StackTemplate);
  const template = { ...packaged, Parameters: withDefaults(packaged.Parameters ?? {}, offer) };
  const state = (await read('state')) as PackageState;
  // Both templates get the same parameters, and CloudFormation rejects an unknown parameter.
  const core = { ...((await read('core')) as StackTemplate), Parameters: template.Parameters };
  const provider = {
    ...state.service.provider,
    compiledCloudFormationTemplate: template,
    coreCloudFormationTemplate: core,
  };
  const bucketFolder = state.package.artifactDirectoryName.replace(packagedStage, '${Stage}');
  const { root, nested } = splitByFunctions(offer, template, bucketFolder);
  await mkdir(join(folder, stacksFolder), { recursive: true });
  await Promise.all([
    write('template', template),
    write('core', core),
    write('state', { ...state, service: { ...state.service, provider } }),
    write('root', root),
    ...[...nested].map(async ([stack, content]) =>
      writeFile(join(folder, stacksFolder, `${stack}.json`), JSON.stringify(content)),
    ),
  ]);
};

/**
 * Runs osls in a folder of its own. osls works in .serverless/ of the service's folder, independent of its output
 * folder. With own folders, calls can run at the same time.
 *
 * @param root the folder of dist/
 */
export const withService = async <Result>(
  root: string,
  run: (service: string, osls: string) => Promise<Result>,
): Promise<Result> => {
  const service = await mkdtemp(join(tmpdir(), 'returns-package-'));
  try {
    await copyFile('serverless.yml', join(service, 'serverless.yml'));
    await symlink(resolve(root, 'dist'), join(service, 'dist'));
    // The plugin of serverless.yml.
    await symlink(resolve('lib'), join(service, 'lib'));
    return await run(service, resolve('node_modules/.bin/osls'));
  } finally {
    await rm(service, { recursive: true, force: true });
  }
};

/** Makes osls write its state in linear time. */
const fastState = new URL('linear-decycle.ts', import.meta.url).href;

/** The parameters of serverless.yml for an offer. */
export const paramsOf = (offer: Offer): readonly string[] => {
  const { mode, folder, adapter } = offer;
  const inbox = hasInbox(offer) ? 'inbox' : 'none';
  const environment = adapter === undefined ? mode : hasInbox(offer) ? 'adapterWithInbox' : 'adapter';
  return Object.entries({ mode, offer: folder, inbox, environment }).flatMap(([name, value]) => [
    '--param',
    `${name}=${value}`,
  ]);
};

/**
 * Packages an offer for every stage: <root>/dist/package/<folder>/ holds its CloudFormation template with the parameter
 * Stage.
 */
export const packageOffer = async (root: string, offer: Offer): Promise<void> =>
  withService(root, async (service, osls) => {
    const result = resolve(root, 'dist/package', offer.folder);
    await runNode(
      ['--import', fastState, osls, 'package', '--package', result, '--stage', packagedStage, ...paramsOf(offer)],
      service,
    );
    await openToStages(result, offer);
  });
