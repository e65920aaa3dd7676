import type { Input, Output } from '../../../contract/contract.ts';
import { ifMatchHolds } from '../../../contract/if-match.ts';
import type { Call, Reply } from '../../../contract/port.ts';
import type { Failure, Result } from '../../../contract/result.ts';
import { fail, ok } from '../../../runtime/result.ts';
import { writeBackConfig } from '../../../runtime/configuration/config.ts';
import { configured } from '../../../runtime/container.ts';
import { effectActions } from '../../../domain/write-back/actions.ts';
import { type Intent, isOpen } from '../../../domain/write-back/intent.ts';
import { changeSetting } from '../../../domain/write-back/setting.ts';
import { writeBackSettingStream } from '../../../store/engine/keys.ts';
import type { Session } from '../../../store/engine/session.ts';
import { writeUnlisted } from '../../../store/events/outbox.ts';
import { readIntents } from '../../../store/write-back/intents.ts';
import { readWriteBackSetting, writeWriteBackSetting } from '../../../store/write-back/settings.ts';
import { causeOfCall } from '../../execution/event-metadata.ts';
import { execute, withStore } from '../../execution/execute.ts';
import { conditionFailed } from '../../execution/failures.ts';
import { intentView, settingView } from '../../views/intent-view.ts';

const config = configured(writeBackConfig);

const view = (setting: Parameters<typeof settingView>[0], platform: string) =>
  settingView(setting, platform, config().platforms.has(platform));

/** Reads what a shop may be asked to do. */
export const getWriteBack = async (
  { platform }: Input<'getWriteBack'>,
  call: Call,
): Promise<Result<Reply<Output<'getWriteBack'>>>> =>
  withStore(call, async (session) => {
    const setting = await readWriteBackSetting(session, platform);
    return ok({ status: 200, body: view(setting, platform), version: setting?.version ?? 0 });
  });

const repeatedCurrency = (index: number): Failure => ({
  code: 'invalid_request',
  detail: 'A currency has two limits.',
  errors: [
    { path: `/dailyRefunds/${index}/currency`, code: 'duplicate', message: 'must be another than those before' },
  ],
});

/** Sets what a shop may be asked to do. Each change is an event with its actor. */
export const setWriteBack = async (
  input: Input<'setWriteBack'>,
  call: Call,
): Promise<Result<Reply<Output<'setWriteBack'>>>> =>
  execute('setWriteBack', input, call, async (session) => {
    const { platform, actions, isStopped = false, dailyRefunds = [] } = input;
    const currencies = dailyRefunds.map(({ currency }) => currency);
    const repeated = currencies.findIndex((currency, index) => currencies.indexOf(currency) !== index);
    if (repeated !== -1) return fail(repeatedCurrency(repeated));
    const before = await readWriteBackSetting(session, platform);
    const present = before?.version ?? 0;
    if (!ifMatchHolds(call.ifMatch, present)) return fail(conditionFailed(present));
    const cause = { ...causeOfCall(call), at: new Date().toISOString() };
    const wanted = { actions, isStopped, dailyRefunds };
    const setting = changeSetting(before, platform, wanted, cause.actor, cause.at);
    const { version, updatedAt: _, updatedBy: __, ...data } = setting;
    const event = { ...cause, sequence: version, type: 'write_back.setting_changed', data };
    return ok({
      reply: { status: present === 0 ? 201 : 200, body: view(setting, platform), version },
      writes: [writeWriteBackSetting(setting), ...writeUnlisted(writeBackSettingStream(platform), event)],
    });
  });

/** The intents that a report covers, and the differences that it shows. */
const [maxExamined, maxDifferences, pageSize] = [1_000, 100, 250];

const readNewest = async (session: Session, platform: string): Promise<readonly Intent[]> => {
  const found: Intent[] = [];
  let before: string | undefined;
  for (let read = 0; read < maxExamined; read += pageSize) {
    const page = await readIntents(session, undefined, before === undefined ? {} : { before }, pageSize);
    found.push(...page.intents.filter((intent) => intent.order.platform === platform));
    if (page.rest === undefined) break;
    before = page.rest;
  }
  return found;
};

/** Compares the effects of commands with the work of people at a shop. */
export const reportWriteBack = async (
  { platform }: Input<'reportWriteBack'>,
  call: Call,
): Promise<Result<Reply<Output<'reportWriteBack'>>>> =>
  withStore(call, async (session) => {
    const intents = await readNewest(session, platform);
    const actions = effectActions.flatMap((action) => {
      const own = intents.filter((intent) => intent.action === action);
      const count = (has: (intent: Intent) => boolean): number => own.filter(has).length;
      const counts = {
        action,
        confirmed: count(({ status, shadow }) => status === 'confirmed' && shadow === undefined),
        parked: count(({ status }) => status === 'parked'),
        agreed: count(({ shadow }) => shadow === 'agreed'),
        differed: count(({ shadow }) => shadow === 'differed'),
        notDone: count(({ shadow }) => shadow === 'not_done'),
        open: count((intent) => isOpen(intent) && intent.status !== 'parked'),
      };
      return own.length === 0 ? [] : [counts];
    });
    const differences = intents
      .filter(({ shadow }) => shadow === 'differed' || shadow === 'not_done')
      .slice(0, maxDifferences)
      .map((intent) => intentView(intent));
    return ok({ status: 200, body: { platform, examined: intents.length, actions, differences } });
  });
