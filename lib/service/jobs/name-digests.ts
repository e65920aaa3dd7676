import type { OrderRef } from '../../domain/returns/model/order.ts';
import type { Summary } from '../../domain/returns/summary.ts';
import { findNameKey, nameDigest, type Name } from '../../store/inbox/inbox-names.ts';
import { readPerson } from '../../store/personal/personal.ts';
import type { Session } from '../../store/engine/session.ts';

/*
 * The names to erase, as bodies of deliveries contain them. Their digests find the deliveries
 * (lib/store/inbox/inbox-names.ts).
 */

type MakeNames = () => Promise<readonly Name[]>;

/** Returns digests of names. It reads no names if no delivery was ever stored with digests. */
const digestsOf = async (session: Session, platform: string, makeNames: MakeNames): Promise<readonly string[]> => {
  const key = await findNameKey(session);
  if (key === undefined) return [];
  return [...new Set((await makeNames()).map((name) => nameDigest(key, platform, name)))];
};

/** Returns the address of a person, or no name after the erasure of the person. */
const addressOf = async (session: Session, subject: string): Promise<readonly Name[]> => {
  const email = (await readPerson(session, subject))?.person.email;
  return email === undefined ? [] : [{ kind: 'email', value: email }];
};

/** Returns digests of a customer: of their id, and of their address until they are erased. */
export const digestsOfCustomer = async (
  session: Session,
  {
    platform,
    customerId,
    subject,
  }: { readonly platform: string; readonly customerId: string; readonly subject: string },
): Promise<readonly string[]> =>
  digestsOf(session, platform, async () => [
    { kind: 'customer', value: customerId },
    ...(await addressOf(session, subject)),
  ]);

/** Returns digests of an order: its id, number, returns at the platform, and customer's address. */
export const digestsOfOrder = async (
  session: Session,
  { platform, orderId }: OrderRef,
  subject: string,
  readSummaries: () => Promise<readonly Summary[]>,
): Promise<readonly string[]> =>
  digestsOf(session, platform, async () => {
    const summaries = await readSummaries();
    return [
      { kind: 'order', value: orderId },
      ...summaries.flatMap(({ order }): Name[] =>
        order.number === undefined ? [] : [{ kind: 'number', value: order.number }],
      ),
      ...summaries.flatMap(({ externalRefs }) =>
        externalRefs.filter((ref) => ref.platform === platform).map(({ id }): Name => ({ kind: 'return', value: id })),
      ),
      ...(await addressOf(session, subject)),
    ];
  });
