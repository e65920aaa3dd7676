import type { WireFault } from '../../../../lib/tools/local/shops/faults.ts';
import type { startShopServer } from '../../../../lib/tools/local/shops/shop-server.ts';
import type { ShopWorld } from './world.ts';

/* The faults of shops that know no key. What may be on its way is left to people, and so is what is rejected. */

const wireFaults: Readonly<Record<string, readonly [WireFault, readonly string[]]>> = {
  cut_before: ['cut_before', ['effect_unknown']],
  answer_lost: ['answer_lost', []],
  late: ['late', ['effect_unknown']],
  failed_before: [{ status: 500, carriedOut: false }, ['effect_unknown']],
  failed_after: [{ status: 502, carriedOut: true }, []],
  rejected_before: [{ status: 400, carriedOut: false }, ['shop_status_400']],
  rejected_after: [{ status: 400, carriedOut: true }, []],
  throttled: [{ status: 429, carriedOut: false }, []],
};

/**
 * Returns the faults of a shop behind a server with faults.
 *
 * @param inSteps whether an effect is several requests: a rejected one stops it in the middle
 */
export const wireFaultsOf = (
  { faults }: Pick<Awaited<ReturnType<typeof startShopServer>>, 'faults'>,
  { inSteps }: { readonly inSteps: boolean },
): Pick<ShopWorld, 'faults' | 'fail' | 'settle'> => ({
  faults: Object.fromEntries(
    Object.entries(wireFaults).map(([name, [, reasons]]) => [
      name,
      inSteps && name === 'rejected_after' ? [...reasons, 'shop_status_400'] : reasons,
    ]),
  ),
  fail: (name) => faults.push(wireFaults[name]?.[0]),
  // Late requests are carried out by the clock.
  settle: async () => faults.clear(),
});
