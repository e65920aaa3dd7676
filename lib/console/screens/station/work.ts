import { signal } from '@preact/signals';
import { type Counts, noCounts, totalOf } from './counting.ts';

/*
 * The work of this session. It lives as long as the page: a failed request, another step or another screen does not
 * lose it. No storage has it, because notes may be personal.
 */

/** A store with a value for each return. */
const perReturn = <Value>(initial: Value) => {
  const values = signal<Readonly<Record<string, Value>>>({});
  return {
    all: values,
    of: (returnId: string): Value => values.value[returnId] ?? initial,
    set: (returnId: string, value: Value): void => {
      values.value = { ...values.value, [returnId]: value };
    },
  };
};

/** The counted units that are not sent. */
export const counts = perReturn<Counts>(noCounts);

/** The RMA number of each return that was open, for the list of unsent counts. */
export const rmaNumbers = perReturn<string>('');

/** Returns that have counted units which are not sent, or scans without an answer. */
export const unsentReturns = (): readonly string[] =>
  Object.entries(counts.all.value)
    .filter(([, counted]) => totalOf(counted) > 0 || counted.openScans.length > 0)
    .map(([returnId]) => returnId);

/** The results of an inspection as a person enters them. Absent fields are not entered. */
export type Entry = {
  readonly key: string;
  readonly lineId: string;
  readonly quantity: string;
  readonly outcome?: 'accept' | 'refuse';
  readonly grade: string;
  readonly disposition: string;
  readonly deduction: string;
  readonly note: string;
};

/** The entered results: undefined until the person opens the step. Unexpected items have a disposition by id. */
export type Inspection = { readonly entries: readonly Entry[]; readonly unexpected: Readonly<Record<string, string>> };

export const inspections = perReturn<Inspection | undefined>(undefined);

export type Picture = {
  readonly id: string;
  readonly file: File;
  /** An address of the file in this page. */
  readonly preview: string;
  readonly lineId?: string;
  readonly state: 'uploading' | 'saved' | 'failed';
  readonly failure?: string;
};

export const pictures = perReturn<readonly Picture[]>([]);

type Done = { readonly at: string; readonly returnId: string; readonly rmaNumber: string; readonly text: string };

/** What was done in this session, the newest first. */
export const done = signal<readonly Done[]>([]);

const maxDone = 100;

/** Adds an action to the list of the session. */
export const recordDone = (returnId: string, rmaNumber: string, text: string): void => {
  done.value = [{ at: new Date().toISOString(), returnId, rmaNumber, text }, ...done.value].slice(0, maxDone);
};
