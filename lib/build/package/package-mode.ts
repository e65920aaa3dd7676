import { copyFile, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Mode } from '../../deploy/functions/function-row.ts';
import { runNode } from '../run-node.ts';
import { forEveryStage, packagedStage } from './stage-parameter.ts';

type Template = Readonly<Record<string, unknown>>;

/** The state that osls stores of a package for its deployment. */
export type PackageState = {
  readonly service: {
    readonly provider: {
      readonly compiledCloudFormationTemplate: Template;
      /** osls creates the stack from this template, which holds a bucket for the code, and then updates it. */
      readonly coreCloudFormationTemplate: Template;
    };
  };
};

/** The files of a package. */
export const packageFiles = {
  template: 'cloudformation-template-update-stack.json',
  core: 'cloudformation-template-create-stack.json',
  state: 'serverless-state.json',
} as const;

/** Turns a package of one stage into one for every stage. */
const openToStages = async (folder: string): Promise<void> => {
  const read = async (file: keyof typeof packageFiles) =>
    JSON.parse(await readFile(join(folder, packageFiles[file]), 'utf8')) as unknown;
  const write = async (file: keyof typeof packageFiles, content: object) =>
    writeFile(join(folder, packageFiles[file]), JSON.stringify(content, null, 2));
  const template = forEveryStage((await read('template')) as Template);
  const state = (await read('state')) as PackageState;
  // Both templates get the same parameters, and CloudFormation rejects an unknown parameter.
  const core = { ...((await read('core')) as Template), Parameters: template['Parameters'] };
  const provider = {
    ...state.service.provider,
    compiledCloudFormationTemplate: template,
    coreCloudFormationTemplate: core,
  };
  await Promise.all([
    write('template', template),
    write('core', core),
    write('state', { ...state, service: { ...state.service, provider } }),
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
    return await run(service, resolve('node_modules/.bin/osls'));
  } finally {
    await rm(service, { recursive: true, force: true });
  }
};

/**
 * Packages a mode for every stage: <root>/dist/package/<mode>/ holds its CloudFormation template with the parameter
 * Stage.
 */
export const packageMode = async (root: string, mode: Mode): Promise<void> =>
  withService(root, async (service, osls) => {
    const result = resolve(root, 'dist/package', mode);
    await runNode([osls, 'package', '--package', result, '--stage', packagedStage, '--param', `mode=${mode}`], service);
    await openToStages(result);
  });
