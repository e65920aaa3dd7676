import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { writeChanged } from '../command-line/files.ts';
import { personalValuesIn, withoutPersonalData, withoutTexts, withoutTextsOf } from './personal-data.ts';
import { readRecordings, type RecordedCase, type Recording } from './recording.ts';

/** Returns the title, with a number where another case has it. */
const freeTitle = (title: string, cases: readonly RecordedCase[]): string => {
  const taken = new Set(cases.map((known) => known.title));
  let free = title;
  for (let number = 2; taken.has(free); number += 1) free = `${title} (${number})`;
  return free;
};

/** Whether two cases have the same input and the same exchanges. */
const isSame = (a: RecordedCase, b: RecordedCase): boolean =>
  isDeepStrictEqual([a.input, a.exchanges], [b.input, b.exchanges]);

/** Returns a case without personal data. A replay sends the replaced input, so its requests have the same texts. */
const withoutPersons = (recorded: RecordedCase): RecordedCase => {
  const exchanges = recorded.exchanges.map((exchange) => {
    const { body, query } = exchange.request;
    const replaced = withoutTextsOf({ ...(query && { query }), ...(body !== undefined && { body }) }, recorded.input);
    return { ...exchange, request: { ...exchange.request, ...replaced } };
  });
  return withoutTexts(withoutPersonalData({ ...recorded, exchanges }), personalValuesIn(recorded)) as RecordedCase;
};

/** Adds a case. All others stay, because a person may have changed them; the same exchanges are kept once. */
const withCase = (cases: readonly RecordedCase[], recorded: RecordedCase): readonly RecordedCase[] =>
  cases.some((known) => isSame(known, recorded))
    ? cases
    : [...cases, { ...recorded, title: freeTitle(recorded.title, cases) }];

/**
 * Writes recorded cases without personal data, beside those of earlier recordings.
 *
 * @param source where the exchanges come from
 * @returns the file and the title of each case
 */
export const writeRecordings = async (
  folder: string,
  source: string,
  recorded: readonly (readonly [operation: string, RecordedCase])[],
): Promise<readonly string[]> => {
  const recordings = new Map(await readRecordings(folder));
  const lines: string[] = [];
  for (const [operation, added] of recorded) {
    const known = recordings.get(operation) ?? { operation, source, cases: [] };
    const cases = withCase(known.cases, withoutPersons(added));
    const file = join(folder, `${operation}.json`);
    lines.push(cases === known.cases ? `${file}: the same case is there` : `${file}: ${cases.at(-1)?.title}`);
    if (cases === known.cases) continue;
    const sources = new Set([...known.source.split('; '), source]);
    const recording: Recording = { operation, source: [...sources].join('; '), cases };
    recordings.set(operation, recording);
    await writeChanged(file, `${JSON.stringify(recording, undefined, 2)}\n`);
  }
  return lines;
};
