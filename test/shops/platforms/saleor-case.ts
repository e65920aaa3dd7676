import { startPlatformSecret } from './platform-secret.ts';
import { order, startSaleor, type OrderFixture } from './saleor-shop.ts';
import { translator } from '../../../lib/shops/platforms/saleor/platform.ts';

type Source = 'main' | 'older' | 'busy';

/**
 * Starts three Saleors, one of them older than 3.23, and imports the translator.
 * The secret must set the environment before the import.
 */
export const startCase = async () => {
  const store = await startPlatformSecret();
  const shops = { main: await startSaleor(), older: await startSaleor({ reasons: false }), busy: await startSaleor() };
  const { main, older, busy } = shops;
  store.put({
    main: main.entry,
    older: older.entry,
    busy: busy.entry,
    plain: { ...main.entry, apiUrl: new URL(main.entry.apiUrl).origin },
    wrong: { ...main.entry, accessToken: 'another' },
  });
  const soon = () => Date.now() + 20_000;
  const prepare = (one: OrderFixture, source = 'main') =>
    translator.prepare({ source, topic: 'order_updated', body: { order: { id: one.id } } }, soon());
  return {
    ...shops,
    prepare,
    refetchReturn: (externalId: string) => translator.refetchReturn('main', externalId, soon()),
    changes: (from: { cursor?: string; since: string }) => {
      if (translator.fetchChanges === undefined) throw new Error('nothing to ask for changes');
      return translator.fetchChanges('busy', from, soon());
    },
    /** Returns the snapshot of an order in this state. */
    fetchSnapshot: async (more: Parameters<typeof order>[1], source: Source = 'main') => {
      const one = order(1, more);
      shops[source].put(one);
      const outcome = await prepare(one, source);
      if (outcome.kind !== 'snapshot') throw new Error(outcome.reason);
      return outcome;
    },
    close: async () => {
      await Promise.all(Object.values(shops).map((shop) => shop.close()));
      await store.close();
    },
  };
};
