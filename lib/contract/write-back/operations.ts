import type Type from 'typebox';
import { command, reading, replacing } from '../entry.ts';
import { at, ref, returnId } from '../example-story.ts';
import {
  Intent,
  IntentList,
  IntentPath,
  IntentQuery,
  IntentResolution,
  WriteBackFacts,
  WriteBackPath,
  WriteBackReport,
  WriteBackSetting,
} from './write-back.ts';

const intent: Type.Static<typeof Intent> = {
  intentId: 'wbi_01KAJ3V9Z8QW4T6R2M5N7P0XYB',
  version: 3,
  order: ref,
  action: 'refund',
  returnId,
  refundId: 'rfd_01KAJ3V9Z8QW4T6R2M5N7P0XYC',
  status: 'parked',
  plannedAt: at.decided,
  updatedAt: at.sent,
  shop: { platform: 'woocommerce', source: 'shop.example.com' },
  requests: 1,
  askedAt: at.decided,
  reason: 'effect_unknown',
};

/** The intent after a decision of staff: the reason for which it was parked is gone. */
const { reason: _, askedAt: __, ...decided } = intent;
const next = { ...decided, version: 4, dueAt: at.sent };

/** A shop on shadow, in which people had not approved a return after a week. */
const missed: Type.Static<typeof Intent> = {
  intentId: 'wbi_01KAJ3V9Z8QW4T6R2M5N7P0XYD',
  version: 2,
  order: { platform: 'shopify', orderId: '5003' },
  action: 'approve',
  returnId: 'ret_01KAJ3V9Z8QW4T6R2M5N7P0XYE',
  status: 'confirmed',
  plannedAt: at.decided,
  updatedAt: at.due,
  requests: 0,
  by: 'shop',
  shadow: 'not_done',
};

const setting: Type.Static<typeof WriteBackSetting> = {
  platform: 'shopify',
  version: 1,
  isEnabled: true,
  actions: { approve: 'on', reject: 'on', refund: 'shadow' },
  isStopped: false,
  dailyRefunds: [],
  updatedAt: at.decided,
  updatedBy: { clientId: 'backoffice' },
};

/* The operations on what commands want at shops. */

export const listIntents = reading({
  path: '/write-back/intents',
  scope: 'returns:read',
  summary: 'List what commands want at shops',
  description:
    'Returns intents, the newest first. All filters must match. So a page may be short or empty and still have a next page.\n\nThe list is eventually consistent, except with `returnId`. Only with `returnId` do intents have `heldBy`. The service keeps an intent for 180 days after its end. An intent of an action that is off leaves no trace.',
  query: IntentQuery,
  answers: IntentList,
  errors: ['invalid_cursor', 'return_not_found'],
  example: { output: { items: [intent], nextCursor: null } },
});

export const getIntent = reading({
  path: '/write-back/intents/{intentId}',
  scope: 'returns:read',
  summary: 'Read what a command wants at a shop',
  description:
    'Returns the intent with what the service last saw at the shop. `heldBy` names the intent of the order that must end first.',
  params: IntentPath,
  answers: Intent,
  errors: ['intent_not_found'],
  example: { output: intent },
});

export const resolveIntent = command({
  path: '/write-back/intents/{intentId}/resolution',
  summary: 'Say what happened at the shop',
  description:
    'The intent must be parked. Look at the shop first.\n\n- `done` confirms it. The service then reports the effect to the return: a refund becomes `succeeded`.\n- `not_done` cancels it. The return stays as it is: cancel its refund, or pay it in another way.\n\nThe intents of the order behind it go on. Another status gets `invalid_transition`.',
  params: IntentPath,
  body: IntentResolution,
  answers: Intent,
  errors: ['intent_not_found', 'invalid_transition', 'version_mismatch'],
  example: {
    body: { outcome: 'done', externalId: '871' },
    output: { ...next, askedAt: at.decided, status: 'sent', by: 'statement', externalId: '871' },
  },
});

export const retryIntent = command({
  path: '/write-back/intents/{intentId}/retry',
  summary: 'Ask a shop again',
  description:
    'The intent must be parked. The service reads the shop first, and sends a request if the effect is still missing.\n\nLook at the shop before you retry an intent with the reason `effect_unknown`: the shop may have the effect without a trace of it. Another status gets `invalid_transition`.',
  params: IntentPath,
  answers: Intent,
  errors: ['intent_not_found', 'invalid_transition', 'version_mismatch'],
  example: { output: { ...next, status: 'planned' } },
});

export const getWriteBack = reading({
  path: '/write-back/shops/{platform}',
  scope: 'returns:read',
  summary: 'Read what a shop may be asked to do',
  description:
    'A shop is named by the platform of its orders. A shop whose setting was never changed has version 0, and all actions are off.',
  params: WriteBackPath,
  answers: WriteBackSetting,
  example: { output: setting },
});

export const setWriteBack = replacing({
  path: '/write-back/shops/{platform}',
  scope: 'returns:admin',
  summary: 'Set what a shop may be asked to do',
  description:
    'Send `If-None-Match: *` for a setting that has version 0, and `If-Match` for any other. The operation replaces the whole setting.\n\n`refund` `on` needs two persons. The first request is stored as `refundsRequested`, and refunds stay as they are. A second person sends the same limits, and refunds are on. A higher limit needs two persons again. A lower limit, another mode and `isStopped` count at once.\n\nThe operation changes the setting also while the parameter `WriteBack` does not name the platform. Nothing is sent then.',
  params: WriteBackPath,
  body: WriteBackFacts,
  answers: WriteBackSetting,
  errors: ['version_mismatch', 'precondition_required'],
  example: { body: { actions: setting.actions }, output: setting },
});

export const reportWriteBack = reading({
  path: '/write-back/shops/{platform}/report',
  scope: 'returns:read',
  summary: 'Compare the effects of commands with the work of people',
  description:
    'Counts the newest 1,000 intents of the shop by action. Before you switch an action on, let it run in the mode `shadow`, and look at the differences.',
  params: WriteBackPath,
  answers: WriteBackReport,
  example: {
    output: {
      platform: 'shopify',
      examined: 3,
      actions: [{ action: 'approve', confirmed: 0, parked: 0, agreed: 2, differed: 0, notDone: 1, open: 0 }],
      differences: [missed],
    },
  },
});
