import { findReturns, searchCustomers } from '../../../contract/operations.ts';
import { useCall } from '../../api/use-call.ts';
import { usePages } from '../../api/use-pages.ts';
import { Empty } from '../../components/basics.tsx';
import { PageEnd, PageProblem } from '../../components/page-table.tsx';
import { Resource } from '../../components/resource.tsx';
import { enoughRows } from './filters.ts';
import { ReturnTable } from './return-table.tsx';
import type { CustomerQuery } from './search-box.tsx';
import { t } from './texts.ts';

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
  const pages = usePages(searchCustomers, { ...customer, limit: pageSize }, { enough: enoughRows });
  const { items = [], isLoading } = pages;
  return (
    <>
      <p class="fine">{t().search.exact}</p>
      <PageProblem of={pages} />
      {items.length > 0 && <ReturnTable items={items} isBusy={isLoading} />}
      {pages.items?.length === 0 && !isLoading && !pages.hasMore && <Empty>{t().search.nothing}</Empty>}
      <PageEnd of={pages} />
    </>
  );
};
