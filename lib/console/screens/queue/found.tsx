import { findReturns, searchCustomers } from '../../../contract/operations.ts';
import { call } from '../../api/call.ts';
import { useCall } from '../../api/use-call.ts';
import { Empty, Loading } from '../../components/basics.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Resource } from '../../components/resource.tsx';
import { common } from '../../texts/common.ts';
import { ReturnTable } from './return-table.tsx';
import type { CustomerQuery } from './search-box.tsx';
import { t } from './texts.ts';
import { usePages } from './use-pages.ts';

/** The returns that a number leads to. */
export const FoundByNumber = ({ reference }: { reference: string }) => {
  const found = useCall(findReturns, { reference });
  const text = t().search;
  return (
    <Resource of={found}>
      {({ items, more }) =>
        items.length === 0 ? (
          <Empty>{text.nothing}</Empty>
        ) : (
          <>
            <ReturnTable
              items={items.map((item) => item.return)}
              matchedBy={new Map(items.map((item) => [item.return.returnId, text.matched[item.matchedBy]]))}
              isBusy={found.isLoading}
            />
            {more && <p class="fine">{text.tooMany}</p>}
          </>
        )
      }
    </Resource>
  );
};

const pageSize = 50;

/** The returns of the customers with an address or a name. */
export const FoundByCustomer = ({ customer }: { customer: CustomerQuery }) => {
  const pages = usePages(JSON.stringify(customer), async (cursor, signal) =>
    call(searchCustomers, { ...customer, limit: pageSize, ...(cursor !== undefined && { cursor }) }, { signal }),
  );
  return (
    <>
      <p class="fine">{t().search.exact}</p>
      {pages.problem !== undefined && <ProblemNotice problem={pages.problem} onRetry={pages.reload} />}
      {pages.items.length > 0 && <ReturnTable items={pages.items} isBusy={pages.isLoading} />}
      {pages.items.length === 0 && pages.isLoading && <Loading />}
      {pages.items.length === 0 && !pages.isLoading && pages.problem === undefined && (
        <Empty>{t().search.nothing}</Empty>
      )}
      {pages.nextCursor !== null && (
        <button type="button" aria-disabled={pages.isLoading} onClick={pages.loadMore}>
          {common().loadMore}
        </button>
      )}
    </>
  );
};
