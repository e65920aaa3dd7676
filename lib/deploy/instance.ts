import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageFiles, type PackageState } from '../build/package/package-way.ts';
import { packagedStage } from '../build/package/stage-parameter.ts';

export type Instance = {
  readonly stage: string;
  readonly region: string;
  /** A value for every parameter of the template. */
  readonly parameters: Readonly<Record<string, string>>;
};

/**
 * Writes a package as osls deploys it to one stage. Its templates stay as they were packaged; what osls keeps for itself
 * gets the stage, the region and the values of the parameters.
 *
 * @param from the folder of the package
 * @param into the folder to write, which is made
 */
export const writeInstance = async (
  from: string,
  into: string,
  { stage, region, parameters }: Instance,
): Promise<void> => {
  await mkdir(into, { recursive: true });
  const text = await readFile(join(from, packageFiles.state), 'utf8');
  const state = JSON.parse(text.replaceAll(packagedStage, stage)) as PackageState;
  const stackParameters = Object.entries(parameters).map(([ParameterKey, ParameterValue]) => ({
    ParameterKey,
    ParameterValue,
  }));
  const provider = { ...state.service.provider, region, stage, stackParameters };
  await Promise.all([
    writeFile(join(into, packageFiles.state), JSON.stringify({ ...state, service: { ...state.service, provider } })),
    ...(['template', 'core'] as const).map((file) =>
      copyFile(join(from, packageFiles[file]), join(into, packageFiles[file])),
    ),
  ]);
};
