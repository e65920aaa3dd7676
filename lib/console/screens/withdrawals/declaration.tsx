import { useState } from 'preact/hooks';
import type { Output } from '../../../contract/contract.ts';
import {
  answerWithdrawal,
  getWithdrawal,
  matchWithdrawal,
  recordReceiptSent,
  withdrawWithdrawal,
} from '../../../contract/operations.ts';
import { type Loaded, useCall } from '../../api/use-call.ts';
import { Copy, Facts, Section, Time } from '../../components/basics.tsx';
import { Detail, DetailHead } from '../../components/detail.tsx';
import { toast } from '../../components/toast.tsx';
import { may } from '../../session/session.ts';
import { nameOfCode } from '../../texts/format.ts';
import { AnswerDialog } from './answer-dialog.tsx';
import { ReceiptStatus, WithdrawalStatus } from './badges.tsx';
import { Effects, hasEffect } from './effects.tsx';
import { History } from './history.tsx';
import { MatchDialog } from './match-dialog.tsx';
import { ReceiptSection } from './receipt.tsx';
import { SentDialog, WithdrawDialog } from './small-dialogs.tsx';
import { t } from './texts.ts';
import { timeInZone } from './zone.ts';
import { fill } from '../../texts/fill.ts';

type Withdrawal = Output<'getWithdrawal'>;

const actions = {
  match: {
    operation: matchWithdrawal,
    Dialog: MatchDialog,
    isAllowed: (value: Withdrawal) => value.status !== 'withdrawn' && !hasEffect(value),
  },
  answer: {
    operation: answerWithdrawal,
    Dialog: AnswerDialog,
    isAllowed: (value: Withdrawal) => value.status === 'matched' && !hasEffect(value),
  },
  receipt: {
    operation: recordReceiptSent,
    Dialog: SentDialog,
    isAllowed: ({ receipt }: Withdrawal) => receipt.status === 'due',
  },
  withdraw: {
    operation: withdrawWithdrawal,
    Dialog: WithdrawDialog,
    isAllowed: ({ status }: Withdrawal) => status === 'declared' || status === 'matched',
  },
} as const;

type ActionName = keyof typeof actions;

const actionNames = Object.keys(actions) as ActionName[];

const isNext = (name: ActionName, { status, receipt }: Withdrawal): boolean =>
  name === 'match' ? status === 'declared' : name === 'receipt' && status !== 'declared' && receipt.status === 'due';

const nextOf = (value: Withdrawal): string => t().next[hasEffect(value) ? 'effect' : value.status];

const Declared = ({ value }: { value: Withdrawal }) => {
  const texts = t();
  const { declaration } = value;
  return (
    <Section title={texts.what}>
      {declaration === undefined && <p class="notice">{texts.erased}</p>}
      <Facts
        rows={[
          [texts.name, declaration?.name],
          [texts.email, declaration?.email],
          [texts.contract, declaration?.contract],
          [texts.lines, declaration && (declaration.lines ?? texts.wholeContract)],
          [fill(texts.inZone, { zone: value.timeZone }), timeInZone(value.declaredAt, value.timeZone)],
          [texts.inUtc, value.timeZone === 'UTC' ? undefined : timeInZone(value.declaredAt, 'UTC')],
          [texts.here, <Time key="here" at={value.declaredAt} />],
          [texts.platform, value.platform],
          [texts.language, nameOfCode('language', value.language)],
          [texts.source, value.source && `${value.source.platform} · ${value.source.externalId}`],
          [texts.createdAt, <Time key="created" at={value.createdAt} />],
          [texts.updatedAt, <Time key="updated" at={value.updatedAt} />],
        ]}
      />
    </Section>
  );
};

const Loaded = ({ of, value }: { of: Loaded<Withdrawal>; value: Withdrawal }) => {
  const [open, setOpen] = useState<ActionName | undefined>();
  const OpenDialog = open === undefined ? undefined : actions[open].Dialog;
  const texts = t();
  const close = () => setOpen(undefined);
  return (
    <>
      <DetailHead
        title={
          <>
            {texts.one} <span class="mono">{value.withdrawalId}</span>
          </>
        }
        back="/withdrawals"
        backText={texts.back}
        onReload={of.reload}
        below={
          <>
            <WithdrawalStatus status={value.status} />
            <ReceiptStatus status={value.receipt.status} />
            <Copy text={value.withdrawalId} />
          </>
        }
      >
        {actionNames
          .filter((name) => may(actions[name].operation.scope) && actions[name].isAllowed(value))
          .map((name) => (
            <button
              key={name}
              type="button"
              class={isNext(name, value) ? 'primary' : name === 'withdraw' ? 'danger' : undefined}
              onClick={() => setOpen(name)}
            >
              {texts.act[name]}
            </button>
          ))}
      </DetailHead>
      <p>
        {nextOf(value)}
        {value.receipt.status === 'due' && value.status !== 'withdrawn' && ` ${texts.next.receipt}`}
      </p>
      <div class="columns">
        <div class="stack">
          <Declared value={value} />
          <Effects value={value} />
          <History withdrawalId={value.withdrawalId} version={value.version} />
        </div>
        <div class="stack">
          <ReceiptSection value={value} />
        </div>
      </div>
      {OpenDialog !== undefined && (
        <OpenDialog
          of={of}
          value={value}
          onClose={close}
          onDone={() => {
            close();
            // The response of a command leaves out the texts of the consumer.
            of.reload();
            toast(texts.recorded);
          }}
        />
      )}
    </>
  );
};

/** A declaration: what was declared, what it led to, its receipt and its history. */
export const Declaration = ({ withdrawalId }: { withdrawalId: string }) => {
  const loaded = useCall(getWithdrawal, { withdrawalId });
  return (
    <Detail of={loaded} title={t().one} back="/withdrawals" backText={t().back}>
      {(value) => <Loaded of={loaded} value={value} />}
    </Detail>
  );
};
