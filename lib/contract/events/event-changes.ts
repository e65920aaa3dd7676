import type Type from 'typebox';
import type { Described } from './change-fields.ts';
import { goodsChanges } from './goods-and-money-changes.ts';
import { moneyChanges } from './goods-and-money-changes.ts';
import { annotationChanges, returnChanges } from './return-changes.ts';
import { serviceChanges } from './service-changes.ts';

/** The schemas of `data.change` of all events, by the event type without its prefix. */
export const changes = {
  ...returnChanges,
  ...goodsChanges,
  ...annotationChanges,
  ...moneyChanges,
  ...serviceChanges,
} satisfies Readonly<Record<string, Type.TSchema & Described>>;
