import type { Output } from '../../contract/contract.ts';
import { hrefOf } from '../app/router.ts';
import { OrderLink } from './order-link.tsx';

/** Links to the order that another one replaces, and to the return whose exchange made it. */
export const OriginLink = ({ origin }: { origin: NonNullable<Output<'getOrder'>['origin']> }) => (
  <>
    <OrderLink of={origin} />{' '}
    {origin.returnId !== undefined && (
      <a class="mono" href={hrefOf(`/returns/${origin.returnId}`)}>
        {origin.returnId}
      </a>
    )}
  </>
);
