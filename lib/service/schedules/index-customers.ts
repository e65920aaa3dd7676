import { readSearchKeyRing } from '../execution/key-ring.ts';
import { keyTag, personDigests } from '../../store/personal/customer-search.ts';
import { subjectOfCustomer } from '../../store/personal/text-references.ts';
import type { HistoryKey } from '../../domain/returns/history/mac.ts';
import { parseJson } from '../../runtime/json.ts';
import { errorName, log } from '../../runtime/log.ts';
import { readCursor, writeCursor, type Checkpoint } from '../../store/engine/checkpoint.ts';
import { scheduleKey } from '../../store/engine/keys.ts';
import { unpack } from '../../store/engine/pack.ts';
import { NewerRelease } from '../../store/engine/readable.ts';
import type { Person } from '../../store/personal/personal.ts';
import { type IndexedPerson, readIndexedPersons, writeDigests } from '../../store/personal/search-rows.ts';
import { changePartitions, lowestPosition, readChanged } from '../../store/returns/changed-returns.ts';
import { ScheduleFailed, type Run } from './run.ts';

/*
 * The search finds a customer by the present key. This round indexes customers that were stored before the search was
 * enabled, or under an earlier key or normal form. It meets them by their returns, in the order of the last change, so
 * that it also finds the customer of an old order when the first return comes.
 */

const name = 'index-customers';
const pageSize = 100;
/** Persons that are written concurrently. */
const atOnce = 8;
/** No page begins with less time left. */
const pageMs = 15_000;
/** The index may lag behind a change. */
const lagMs = 60_000;

/** The key of the round, and its position in each partition. */
type RoundState = { readonly key: string; readonly after: Readonly<Record<string, string>> };

/** The result of a run. `through` is false when a part is left, or when the next run begins the round. */
export type IndexedCustomers = { readonly customers: number; readonly through: boolean };

const isSame = (a: readonly string[], b: readonly string[]): boolean => a.join() === b.join();

/** Returns the texts of a person; undefined for a damaged item, which must not stop the round. */
const readTexts = ({ value }: IndexedPerson): Person | undefined => {
  try {
    return unpack(value) as Person;
  } catch (error) {
    if (error instanceof NewerRelease) throw error;
    // The item is not named: it may be a customer.
    log('error', 'customer not indexed', { error: errorName(error) });
    return undefined;
  }
};

/** Writes a person under the present key. When the person has changed since the read, it reads again, once. */
const indexPerson = async ({ session }: Run, person: IndexedPerson, key: HistoryKey): Promise<boolean> => {
  const write = async (read: IndexedPerson): Promise<boolean | undefined> => {
    const texts = readTexts(read);
    if (texts === undefined) return false;
    const digests = personDigests(key, texts);
    if (isSame(digests, read.digests)) return false;
    return (await writeDigests(session, read, digests)) ? true : undefined;
  };
  const first = await write(person);
  if (first !== undefined) return first;
  const [again] = await readIndexedPersons(session, [person.subject]);
  return again !== undefined && (await write(again)) === true;
};

const indexPage = async (run: Run, subjects: readonly string[], key: HistoryKey): Promise<number> => {
  const persons = await readIndexedPersons(run.session, subjects);
  let written = 0;
  for (let start = 0; start < persons.length; start += atOnce) {
    const done = await Promise.all(
      persons.slice(start, start + atOnce).map(async (person) => indexPerson(run, person, key)),
    );
    written += done.filter(Boolean).length;
  }
  return written;
};

/**
 * Writes the customers of returns that changed since the last run to the search, or of all returns after a change of the
 * key or the normal form. The first run with it only stores it: some containers use the one before for a while, and would
 * write rows behind the round. Without a search it does nothing.
 *
 * @throws {ScheduleFailed} when another run was faster
 */
export const indexCustomers = async (run: Run): Promise<IndexedCustomers | undefined> => {
  const key = (await readSearchKeyRing(run.session))?.current;
  if (key === undefined) return undefined;
  const place = scheduleKey(name);
  let checkpoint: Checkpoint = await readCursor(run.session, place);
  const stored = parseJson(checkpoint.cursor ?? '') as RoundState | undefined;
  const state = stored?.key === keyTag(key) ? stored : { key: keyTag(key), after: {} };
  const after: Record<string, string> = { ...state.after };
  const save = async (): Promise<void> => {
    const written = await writeCursor(run.session, place, checkpoint, JSON.stringify({ ...state, after }));
    if (written === undefined) throw new ScheduleFailed('another run was faster');
    checkpoint = written;
  };
  if (state !== stored) {
    await save();
    return { customers: 0, through: false };
  }
  const to = new Date(Date.parse(run.now) - lagMs).toISOString();
  let customers = 0;
  for (const partition of changePartitions())
    for (;;) {
      if (Date.now() + pageMs > run.end) return { customers, through: false };
      // The range includes both ends. The suffix skips all entries that begin with the position.
      const from = `${after[partition] ?? lowestPosition}~`;
      const changed = await readChanged(run.session, partition, { from, to }, pageSize);
      const last = changed.at(-1)?.position;
      if (last === undefined) break;
      const subjects = changed.map(({ summary: { order, customerId } }) => subjectOfCustomer(order, customerId));
      customers += await indexPage(run, subjects, key);
      after[partition] = last;
      await save();
    }
  return { customers, through: true };
};
