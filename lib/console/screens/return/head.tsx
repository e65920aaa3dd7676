import type { ComponentChildren } from 'preact';
import { listedReturns } from '../../app/listed.ts';
import { customerHref, focusContent, hrefOf, navigate } from '../../app/router.ts';
import { titles as navigation } from '../../app/texts.ts';
import { useTitle } from '../../app/title.ts';
import { BackLink } from '../../components/back-link.tsx';
import { Badge, Facts, Section, Time } from '../../components/basics.tsx';
import { KeyHelpButton } from '../../components/key-help.tsx';
import { OrderLink } from '../../components/order-link.tsx';
import { OriginLink } from '../../components/origin-link.tsx';
import { RefundBadge, StatusBadge } from '../../components/return-badges.tsx';
import { fieldText } from '../../forms/field-texts.ts';
import { codeText } from '../../forms/value-texts.ts';
import { common } from '../../texts/common.ts';
import { fill } from '../../texts/fill.ts';
import { label } from '../../texts/labels.ts';
import { Assignee } from './assignee.tsx';
import { isEnded, type Return } from './commands.ts';
import { useScreen } from './context.ts';
import { t } from './texts.ts';

/** The customer, or why there is none. */
export const customerText = ({ customer }: Return): string => {
  if (customer === undefined) return t().noReadCustomer;
  if (customer.erased === true) return common().erased;
  return [customer.name, customer.email, customer.segment].filter((part) => part !== undefined).join(' · ');
};

/** Opens another return of the list from which the person came. Back leads to the list, as before. */
export const openBeside = (returnId: string, step: number): (() => void) | undefined => {
  const ids = listedReturns.value;
  const id = ids.includes(returnId) ? ids[ids.indexOf(returnId) + step] : undefined;
  if (id === undefined) return undefined;
  return () => {
    navigate(`/returns/${id}`, { replace: true });
    focusContent();
  };
};

const StepButton = ({ step, text }: { step: number; text: string }) => {
  const open = openBeside(useScreen().value.returnId, step);
  return open === undefined ? null : (
    <button type="button" class="small" onClick={open}>
      {text}
    </button>
  );
};

export const Head = ({ onKeys }: { onKeys: () => void }) => {
  const { value, reload } = useScreen();
  useTitle(() => `${value.rmaNumber} · ${label('status', value.status)}`);
  return (
    <header class="screen-head">
      <div>
        <div class="row">
          <BackLink to="/">{navigation().queue}</BackLink>
          <StepButton step={-1} text={t().previousReturn} />
          <StepButton step={1} text={t().nextReturn} />
        </div>
        <div class="row">
          <h1>{fill(t().title, { rma: value.rmaNumber })}</h1>
          <StatusBadge status={value.status} />
          {value.refundStatus !== 'none' && <RefundBadge status={value.refundStatus} />}
          {value.isGift && <Badge>{t().gift}</Badge>}
        </div>
      </div>
      <div class="actions">
        <button type="button" onClick={reload}>
          {common().reload}
        </button>
        <button type="button" onClick={() => window.print()}>
          {t().print}
        </button>
        <KeyHelpButton onClick={onKeys} />
      </div>
    </header>
  );
};

const deadlineNames = ['answerBy', 'shipBy', 'inspectBy', 'refundDueBy'] as const;

/** A deadline, how far it is, and whether it has passed while the return is open. */
const Deadline = ({ at, isOpen }: { at: string; isOpen: boolean }) => (
  <>
    <Time at={at} />{' '}
    {isOpen && (
      <Badge tone={Date.parse(at) < Date.now() ? 'bad' : 'neutral'}>
        <Time at={at} relative />
      </Badge>
    )}
  </>
);

/** Who, which order, since when, and until when. */
export const Overview = () => {
  const { value } = useScreen();
  const isOpen = !isEnded(value);
  const { customer } = value;
  return (
    <Section title={common().order}>
      <Facts
        rows={[
          [common().order, <OrderLink key="order" of={value.order} />],
          [t().origin, value.origin && <OriginLink key="origin" origin={value.origin} />],
          [
            label('party', 'customer'),
            customer?.erased === true ? (
              <em key="erased">{common().erased}</em>
            ) : customer?.name === undefined && customer?.email === undefined ? (
              customerText(value)
            ) : (
              <a key="customer" href={customerHref(value.order)}>
                {customerText(value)}
              </a>
            ),
          ],
          [fieldText('assignee'), <Assignee key="assignee" />],
          [label('status', 'requested'), <Time key="at" at={value.requestedAt} />],
          [t().initiatedBy, codeText('initiatedBy', value.initiatedBy)],
          [fieldText('basis'), value.basis === undefined ? undefined : codeText('basis', value.basis)],
          [fieldText('channel'), value.channel],
          [t().managedBy, value.managedBy === 'platform' ? codeText('managedBy', value.managedBy) : undefined],
          [
            t().withdrawal,
            value.withdrawalId === undefined ? undefined : (
              <a key="withdrawal" href={hrefOf(`/withdrawals/${value.withdrawalId}`)}>
                {common().details}
              </a>
            ),
          ],
          ...deadlineNames.map((name): readonly [string, ComponentChildren] => {
            const at = value.deadlines[name];
            // The deadline of a paid refund is met.
            const isDue = isOpen && (name !== 'refundDueBy' || value.refundStatus !== 'refunded');
            return [fieldText(name), at === undefined ? undefined : <Deadline key={name} at={at} isOpen={isDue} />];
          }),
        ]}
      />
    </Section>
  );
};
