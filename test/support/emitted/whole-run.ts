import { type Call, readCallRecord } from '../../../lib/tools/local/emulators/call-record.ts';
import { callRecordIn, stackDataDir } from '../stack.ts';
import { search, type Search } from './search.ts';

/* What all other files of a run have left. A file that imports this module runs after them, in a run of all files. */

/** Searches all output of the run for planted secrets. */
export const searchRun = async (): Promise<Search> => search(stackDataDir());

/** Returns the AWS calls of all functions in the run. */
export const callsOfRun = async (): Promise<readonly Call[]> => readCallRecord(callRecordIn(stackDataDir()));
