import { join } from 'node:path';
import { writeChanged } from '../command-line/files.ts';
import { withoutPersonalData } from './personal-data.ts';
import { readRecordings, type RecordedCase, type Recording } from './recording.ts';

/**
 * Writes recorded cases without personal data. Each replaces the case of its title, and the others of the file stay.
 *
 * @param source where the exchanges come from
 */
export const writeRecordings = async (
  folder: string,
  source: string,
  cases: ReadonlyMap<string, RecordedCase>,
): Promise<void> => {
  const known = await readRecordings(folder);
  for (const [operation, recorded] of cases) {
    const others = (known.get(operation)?.cases ?? []).filter(({ title }) => title !== recorded.title);
    const recording: Recording = {
      operation,
      source: known.get(operation)?.source ?? source,
      cases: [...others, withoutPersonalData(recorded) as RecordedCase],
    };
    await writeChanged(join(folder, `${operation}.json`), `${JSON.stringify(recording, undefined, 2)}\n`);
  }
};
