import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fail, type Result } from '../../runtime/result.ts';
import { suggestion } from '../../runtime/nearest.ts';
import { isStageName, parseStage, stageNameRule, stagesFolder, type Stage } from './stage-file.ts';

/** The file of a stage, from the root of the repository. */
export const stageFile = (name: string): string => join(stagesFolder, `${name}.json`);

/** Reads the settings of a stage, or returns all errors of its file. */
export const readStage = async (name: string): Promise<Result<Stage, readonly string[]>> => {
  const names = globSync(`${stagesFolder}/*.json`).map((file) => basename(file, '.json'));
  if (!isStageName(name)) return fail([`${name} is not a stage name. ${stageNameRule}`]);
  if (!names.includes(name))
    return fail([
      `${stageFile(name)} does not exist.${suggestion(name, names) || ` There are stages ${names.toSorted().join(', ')}.`}`,
      `To write it: npm run deploy -- --stage ${name} --init --mode connected (or standalone).`,
    ]);
  const parsed = parseStage(await readFile(stageFile(name), 'utf8'));
  return parsed.ok ? parsed : fail(parsed.failure.map((error) => `${stageFile(name)}: ${error}`));
};
