import Type from 'typebox';
import {
  about,
  Actor,
  closed,
  Count,
  id,
  Instant,
  oneOf,
  OrderRef,
  PageQuery,
  Platform,
  PlatformId,
  PositiveMoney,
  text,
} from '../scalars.ts';

const { Optional: optional, Array: list } = Type;

const EffectAction = oneOf(
  'cancel_order',
  'approve',
  'reject',
  'cancel',
  'ship',
  'receive',
  'inspect',
  'close',
  'refund',
);

const effectAction = about(
  EffectAction,
  'What the shop is asked to do. `approve` also creates the return at a shop that does not have it. `ship` reports a parcel of the customer.',
);

const IntentStatus = oneOf('planned', 'sent', 'confirmed', 'parked', 'cancelled', 'shadow');

const intentId = about(id('wbi'), 'The id of the intent. The shop gets it as a key, or in a note.');
export const IntentPath = closed({ intentId });

const intentStatusText = `The status of the intent:

- \`planned\`: the shop has not been asked.
- \`sent\`: a request is on its way, or its answer is lost. The service reads the shop before it sends another one.
- \`confirmed\`: the shop has the effect.
- \`parked\`: people decide. The intents of the order behind it wait.
- \`cancelled\`: the command was taken back, or the effect is not wanted any more.
- \`shadow\`: the service compares what people do at the shop, and asks nothing.`;

export const Intent = closed(
  {
    intentId,
    version: about(Type.Integer({ minimum: 1 }), 'The version of the intent, for If-Match.'),
    order: about(closed(OrderRef), 'The order.'),
    action: effectAction,
    returnId: optional(about(id('ret'), 'The return.')),
    refundId: optional(about(id('rfd'), 'The refund that the shop pays.')),
    parcelId: optional(about(id('pcl'), 'The parcel that the shop learns of.')),
    withdrawalId: optional(about(id('wdr'), 'The withdrawal.')),
    status: about(IntentStatus, intentStatusText),
    plannedAt: about(Instant, 'When the command was run.'),
    updatedAt: about(Instant, 'When the intent last changed.'),
    dueAt: optional(
      about(
        Instant,
        'When the service looks at it again. Absent when it has ended. It only reads the shop for a parked one.',
      ),
    ),
    shop: optional(
      about(
        closed({
          platform: about(Platform, 'The kind of the shop.'),
          source: about(text(200), 'The shop, as the secret of its platform names it.'),
        }),
        'The shop that has the order. Absent until it was found.',
      ),
    ),
    requests: about(Count, 'The number of requests that were sent to change the shop.'),
    askedAt: optional(about(Instant, 'When the last of them was sent.')),
    externalId: optional(about(PlatformId, 'The id of the return or the refund at the shop.')),
    by: optional(
      about(
        oneOf('request', 'shop', 'statement'),
        'Who gave the shop the effect: our request, the shop or its staff, or a statement by resolveIntent.',
      ),
    ),
    reason: optional(about(text(300), 'Why it waits, is parked or was cancelled: a code.')),
    seen: optional(
      about(
        text(4000),
        'What the shop showed, or the limit of the day, as JSON: ids, amounts and states. It has no text of a person.',
      ),
    ),
    shadow: optional(
      about(
        oneOf('agreed', 'differed', 'not_done'),
        'How a shadow intent ended: people did the same at the shop, something else, or nothing within a week.',
      ),
    ),
    heldBy: optional(
      about(
        closed({ intentId }),
        'The intent of the order that must end first. Lists without `returnId` do not show it.',
      ),
    ),
  },
  { $id: 'Intent', description: 'What a command wants at the shop of an order.' },
);

export const IntentList = closed(
  {
    items: about(list(Intent), 'The intents, the newest first.'),
    nextCursor: about(Type.Union([text(2000), Type.Null()]), 'The cursor of the next page. Null on the last page.'),
  },
  { $id: 'IntentList' },
);

export const IntentQuery = closed({
  status: optional(about(IntentStatus, 'Only intents in this status.')),
  platform: optional(about(Platform, 'Only intents of orders of this platform.')),
  returnId: optional(about(id('ret'), 'Only intents of this return.')),
  ...PageQuery.properties,
});

export const IntentResolution = closed(
  {
    outcome: about(
      oneOf('done', 'not_done'),
      '`done`: the shop has the effect. `not_done`: it does not have it, and is not asked again.',
    ),
    externalId: optional(
      about(
        PlatformId,
        'The id of the return or the refund at the shop. Required for the refund of a shop: the service recognises by it that the shop reports this refund.',
      ),
    ),
  },
  { $id: 'IntentResolution', description: 'What staff has seen at the shop.' },
);

const ActionMode = oneOf('off', 'shadow', 'on');
const mode = (what: string) => optional(about(ActionMode, `${what} The default is \`off\`.`));

const dailyRefunds = about(
  list(PositiveMoney, { maxItems: 20 }),
  'The most that the shop pays at our word on a day in UTC, once for each currency. No other currency is paid.',
);

const actions = about(
  closed({
    cancel_order: mode('Cancel an order that was withdrawn before it was shipped.'),
    approve: mode('Approve a return, or create it at the shop.'),
    reject: mode('Reject a return.'),
    cancel: mode('Cancel a return.'),
    ship: mode('Report the parcels of the customer.'),
    receive: mode('Report received units.'),
    inspect: mode('Report inspected units, and where they go.'),
    close: mode('Close a return.'),
    refund: mode('Pay refunds. The shop pays at our word.'),
  }),
  'The mode of each action. `off`: the shop is only observed. `shadow`: the service compares what people do there. `on`: the shop is asked.',
);

const isStopped = about(Type.Boolean(), 'Whether nothing is sent to the shop. Intents wait.');

export const WriteBackPath = closed({
  platform: about(Platform, 'The platform of the orders of the shop.'),
});

export const WriteBackFacts = closed(
  {
    actions,
    isStopped: optional(about(isStopped, 'Stops all actions at once. The default is `false`.')),
    dailyRefunds: optional(dailyRefunds),
  },
  { $id: 'WriteBackFacts', description: 'What a shop may be asked to do.' },
);

export const WriteBackSetting = closed(
  {
    platform: about(Platform, 'The platform of the orders of the shop.'),
    version: about(Type.Integer({ minimum: 0 }), 'The version. 0: it was never set.'),
    isEnabled: about(
      Type.Boolean(),
      'Whether the deployment may ask shops of this platform at all: its parameter `WriteBack` names it.',
    ),
    actions,
    isStopped,
    dailyRefunds,
    refundsRequested: optional(
      about(
        closed({
          by: about(Actor, 'Who asked for it.'),
          at: about(Instant, 'When it was asked for.'),
          dailyRefunds,
        }),
        'Refunds by the shop wait for a second person, who sends the same limits.',
      ),
    ),
    updatedAt: optional(about(Instant, 'When the setting last changed. Absent in version 0.')),
    updatedBy: optional(about(Actor, 'Who changed it.')),
  },
  { $id: 'WriteBackSetting', description: 'What a shop may be asked to do.' },
);

export const WriteBackReport = closed(
  {
    platform: about(Platform, 'The platform of the orders of the shop.'),
    examined: about(Count, 'The number of the newest intents of the shop that the report covers, at most 1,000.'),
    actions: about(
      list(
        closed({
          action: effectAction,
          confirmed: about(Count, 'Effects that the shop has.'),
          parked: about(Count, 'Intents that wait for people.'),
          agreed: about(Count, 'Shadow intents that people did at the shop as wanted.'),
          differed: about(Count, 'Shadow intents that people did in another way.'),
          notDone: about(Count, 'Shadow intents that people did not do within a week.'),
          open: about(Count, 'Intents that have not ended.'),
        }),
      ),
      'The counts of each action with intents.',
    ),
    differences: about(list(Intent, { maxItems: 100 }), 'The newest shadow intents that differed or were not done.'),
  },
  { $id: 'WriteBackReport', description: 'How the effects of commands and the work of people at a shop compare.' },
);
