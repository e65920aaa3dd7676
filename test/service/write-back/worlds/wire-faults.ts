import type { WireFault } from '../../../../lib/tools/local/shops/faults.ts';
import type { startShopServer } from '../../../../lib/tools/local/shops/shop-server.ts';
import { inSoak } from '../../../support/samples.ts';
import type { ShopWorld } from './world.ts';

/* The faults of shops behind a server with faults. What may be on its way is left to people, and so is what is rejected. */

const wireFaults: Readonly<Record<string, readonly [WireFault, readonly string[]]>> = {
  cut_before: ['cut_before', ['effect_unknown']],
  answer_lost: ['answer_lost', []],
  late: ['late', ['effect_unknown']],
  failed_before: [{ status: 500, carriedOut: false }, ['effect_unknown']],
  failed_after: [{ status: 502, carriedOut: true }, []],
  rejected_before: [{ status: 400, carriedOut: false }, ['shop_status_400']],
  rejected_after: [{ status: 400, carriedOut: true }, []],
  throttled: [{ status: 429, carriedOut: false }, []],
  // The client waits for eight seconds.
  ...Object.fromEntries(inSoak(['timed_out', ['silent', []]] as const)),
};

type Options = {
  /** Whether an effect is several requests: a rejected one stops it in the middle. */
  readonly inSteps?: boolean;
  /** Whether the shop has the effect of a repeated request once, so that it is sent again. */
  readonly isGuarded?: boolean;
};

/** Returns the faults of a shop behind a server with faults, with the reasons that each leaves to people. */
export const wireFaultsOf = (
  { faults }: Pick<Awaited<ReturnType<typeof startShopServer>>, 'faults'>,
  { inSteps = false, isGuarded = false }: Options,
): Pick<ShopWorld, 'faults' | 'fail' | 'settle'> => {
  const reasonsOf = (name: string, reasons: readonly string[]): readonly string[] => {
    if (inSteps && name === 'rejected_after') return ['shop_status_400'];
    return isGuarded ? reasons.filter((reason) => reason !== 'effect_unknown') : reasons;
  };
  return {
    faults: Object.fromEntries(
      Object.entries(wireFaults).map(([name, [, reasons]]) => [name, reasonsOf(name, reasons)]),
    ),
    fail: (name) => faults.push(wireFaults[name]?.[0]),
    // Late requests are carried out by the clock.
    settle: async () => faults.clear(),
  };
};
