import type { Output } from '../../contract/contract.ts';
import type { Intent } from '../../domain/write-back/intent.ts';
import { heldBy } from '../../domain/write-back/queue.ts';
import type { WriteBackSetting } from '../../domain/write-back/setting.ts';

type IntentView = Output<'getIntent'>;

/**
 * Returns an intent as the API shows it.
 *
 * @param ofOrder all intents of its order, one of which may hold it; absent where they were not read
 */
export const intentView = (intent: Intent, ofOrder: readonly Intent[] = []): IntentView => {
  const { id, isByPerson: _, returnVersion: __, runs: ___, isCounted: ____, traceId: _____, ...shown } = intent;
  const first = heldBy(ofOrder, intent);
  return { intentId: id, ...shown, ...(first !== undefined && { heldBy: { intentId: first.id } }) };
};

/** Returns the setting of a shop as the API shows it. A shop without one has version 0. */
export const settingView = (
  setting: WriteBackSetting | undefined,
  platform: string,
  isEnabled: boolean,
): Output<'getWriteBack'> => ({
  ...(structuredClone(
    setting ?? { platform, version: 0, actions: {}, isStopped: false, dailyRefunds: [] },
  ) as Output<'getWriteBack'>),
  isEnabled,
});
