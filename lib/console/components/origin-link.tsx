import type { Output } from '../../contract/contract.ts';
import { hrefOf, orderHref } from '../app/router.ts';

/** Links to the order that another one replaces, and to the return whose exchange made it. */
export const OriginLink = ({ origin }: { origin: NonNullable<Output<'getOrder'>['origin']> }) => (
  <>
    <a href={orderHref(origin)}>{origin.orderId}</a> <span class="fine">{origin.platform}</span>{' '}
    {origin.returnId !== undefined && (
      <a class="mono" href={hrefOf(`/returns/${origin.returnId}`)}>
        {origin.returnId}
      </a>
    )}
  </>
);
