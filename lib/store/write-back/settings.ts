import type { WriteBackSetting } from '../../domain/write-back/setting.ts';
import type { Money } from '../../domain/returns/model/order.ts';
import { getItem } from '../engine/batch-get.ts';
import { dailyRefundsKey, writeBackSettingKey } from '../engine/keys.ts';
import { pack, unpack } from '../engine/pack.ts';
import type { Session } from '../engine/session.ts';
import { putVersion, update, type Write } from '../engine/transact.ts';

/** Returns what a shop may be asked to do; undefined where it was never set. Strongly consistent. */
export const readWriteBackSetting = async (
  session: Session,
  platform: string,
): Promise<WriteBackSetting | undefined> => {
  const item = await getItem<{ readonly value: string | Uint8Array }>(session, writeBackSettingKey(platform));
  return item && (unpack(item.value) as WriteBackSetting);
};

/** Writes the next version of a setting, on condition of the one before. */
export const writeWriteBackSetting = (setting: WriteBackSetting): Write =>
  putVersion(
    'writeBackSetting',
    writeBackSettingKey(setting.platform),
    { version: setting.version, value: pack(setting) },
    setting.version - 1,
  );

/** The condition of a refund within the limit of its day. */
export const dailyRefundsCondition = 'dailyRefunds';
const retentionSeconds = 40 * 24 * 3600;

/**
 * Counts a refund that a shop is about to pay, on condition that the limit of the day is not exceeded.
 *
 * @param at the instant; its day in UTC counts
 * @param limit in minor units of the currency of the refund
 */
export const countDailyRefund = (platform: string, { amount, currency }: Money, at: string, limit: number): Write =>
  update(dailyRefundsCondition, {
    Key: dailyRefundsKey(platform, at.slice(0, '2026-11-29'.length), currency),
    UpdateExpression: 'SET paid = if_not_exists(paid, :none) + :amount, expiresAt = :expiry',
    ConditionExpression: 'attribute_not_exists(paid) OR paid <= :rest',
    ExpressionAttributeValues: {
      ':none': 0,
      ':amount': amount,
      ':rest': limit - amount,
      ':expiry': Math.floor(Date.parse(at) / 1000) + retentionSeconds,
    },
  });
