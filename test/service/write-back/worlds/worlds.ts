import { vi } from 'vitest';
import type { Backend } from '../../../../lib/contract/port.ts';
import type { Secrets } from '../../../../lib/tools/local/emulators/secrets-store.ts';
import { putSecret } from '../../../../lib/tools/local/external-services.ts';
import { setEnvironment } from '../../../support/environment.ts';
import { openWorker } from '../worker.ts';
import { startBigcommerceWorld } from './bigcommerce.ts';
import { startCommercetoolsWorld } from './commercetools.ts';
import { startMedusaWorld } from './medusa.ts';
import { startSaleorWorld } from './saleor.ts';
import { startShopifyWorld } from './shopify.ts';
import { startWoocommerceWorld } from './woocommerce.ts';

/** Starts all shops, with every action on. Their clock and ours is one that lives move. */
export const openWorlds = async (backend: Backend, secrets: Secrets) => {
  const [shopify, woocommerce] = [await startShopifyWorld(), await startWoocommerceWorld()];
  const others = [startMedusaWorld(), startCommercetoolsWorld(), startSaleorWorld(), startBigcommerceWorld()];
  const all = [shopify, woocommerce, ...(await Promise.all(others))];
  for (const { platform, source, access } of all)
    await putSecret(secrets, `unit/api/${platform}`, { sources: { [source]: access } });
  const { enable } = openWorker(backend);
  return {
    all,
    shopify,
    woocommerce,
    begin: async (): Promise<void> => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-29T12:00:00Z') });
      const platforms = all.map(({ platform }) => platform).join();
      setEnvironment({ PLATFORMS: platforms, WRITE_BACK: platforms });
      for (const { platform, actions, currency } of all)
        await enable(platform, {
          actions: Object.fromEntries(actions.map((action) => [action, 'on' as const])),
          dailyRefunds: [{ amount: 1_000_000_000_00, currency }],
        });
    },
    end: async (): Promise<void> => {
      vi.useRealTimers();
      for (const { close } of all) await close();
    },
  };
};
