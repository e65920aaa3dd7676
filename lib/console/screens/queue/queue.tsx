import { listReturns } from '../../../contract/operations.ts';
import { useCall } from '../../api/use-call.ts';
import { hrefOf } from '../../app/router.ts';
import { Money, Time } from '../../components/basics.tsx';
import { Resource } from '../../components/resource.tsx';
import { RefundBadge, StatusBadge } from '../../components/return-badges.tsx';

export const Screen = () => {
  const page = useCall(listReturns, { limit: 50 });
  return (
    <Resource of={page}>
      {({ items }) => (
        <table>
          <tbody>
            {items.map((item) => (
              <tr key={item.returnId}>
                <td>
                  <a href={hrefOf(`/returns/${item.returnId}`)}>{item.rmaNumber}</a>
                </td>
                <td>
                  <StatusBadge status={item.status} />
                </td>
                <td>
                  <RefundBadge status={item.refundStatus} />
                </td>
                <td class="number">
                  <Money of={item.amounts.due} />
                </td>
                <td>{item.dueAt !== undefined && <Time at={item.dueAt} relative />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Resource>
  );
};
