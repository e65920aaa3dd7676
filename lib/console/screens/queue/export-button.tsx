import { useState } from 'preact/hooks';
import { listReturns } from '../../../contract/operations.ts';
import { call } from '../../api/call.ts';
import type { Problem } from '../../api/problem.ts';
import { query } from '../../app/router.ts';
import { userText, useUsers } from '../../app/users.ts';
import { download } from '../../components/download.ts';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { toast } from '../../components/toast.tsx';
import { fill } from '../../texts/fill.ts';
import { digitsOf } from '../../texts/format.ts';
import { queryOf } from './filters.ts';
import { listCsv } from './list-csv.ts';
import type { Summary } from './selection.ts';
import { t } from './texts.ts';

const pageSize = 200;
const maxPages = 50;

/** Reads the whole list, as far as an export goes. */
const readList = async (
  input: ReturnType<typeof queryOf>,
): Promise<{ readonly items: readonly Summary[]; readonly isCut: boolean } | Problem> => {
  const { include: _, ...filters } = input;
  const items: Summary[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const answer = await call(listReturns, { ...filters, limit: pageSize, ...(cursor !== undefined && { cursor }) });
    if (!answer.ok) return answer.problem;
    items.push(...answer.value.items);
    cursor = answer.value.nextCursor ?? undefined;
    if (cursor === undefined) break;
  }
  return { items, isCut: cursor !== undefined };
};

/** Saves the list with its filters as a file for spreadsheets. */
export const ExportButton = () => {
  const users = useUsers();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | undefined>();
  const save = async () => {
    setBusy(true);
    setProblem(undefined);
    const found = await readList(queryOf(query.value));
    setBusy(false);
    if ('code' in found) {
      setProblem(found);
      return;
    }
    const { items, isCut } = found;
    download('returns.csv', listCsv(items, { digitsOf, nameOf: (userId) => userText(users, userId) }), 'text/csv');
    toast(isCut ? fill(t().exportCut, { count: items.length }) : fill(t().exported, { count: items.length }));
  };
  return (
    <>
      <button type="button" aria-disabled={isBusy} onClick={() => !isBusy && void save()}>
        {isBusy ? t().exporting : t().export}
      </button>
      {problem !== undefined && <ProblemNotice problem={problem} onRetry={() => void save()} />}
    </>
  );
};
