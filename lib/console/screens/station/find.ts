import { findReturns } from '../../../contract/operations.ts';
import { type Answer, call } from '../../api/call.ts';

type Candidate = { readonly returnId: string; readonly rmaNumber: string };

/** RMA numbers have capital letters. A person may type others. */
const isRma = (code: string): boolean => /^[0-9a-hjkmnp-tv-z]{11}$/i.test(code);

const find = async (reference: string, isItemPossible: boolean): Promise<Answer<readonly Candidate[]>> => {
  const answer = await call(findReturns, { reference });
  if (!answer.ok) return answer;
  // The code of an item may be equal to an order number. Then it is no code of a parcel.
  const found = answer.value.items.filter(({ matchedBy }) => !isItemPossible || matchedBy !== 'order');
  return { ok: true, value: found.map((item) => item.return) };
};

/**
 * Finds the returns of a code: by the id or RMA number, a tracking number, or another number on the parcel.
 *
 * @param isItemPossible whether a return is open, so that the code may belong to an item
 */
export const findByCode = async (code: string, isItemPossible: boolean): Promise<Answer<readonly Candidate[]>> => {
  const found = await find(code, isItemPossible);
  const upper = code.toUpperCase();
  if (!found.ok || found.value.length > 0 || upper === code || !isRma(code)) return found;
  return find(upper, isItemPossible);
};
