import { useId, useRef } from 'preact/hooks';
import { Badge } from '../../components/basics.tsx';
import { fieldText } from '../../forms/field-texts.ts';
import { may } from '../../session/session.ts';
import { label } from '../../texts/labels.ts';
import {
  type Action,
  type ActionGroups,
  dangerous,
  groupedActions,
  isCommand,
  isEnded,
  nextCommand,
  openRefund,
  type Return,
} from './commands.ts';
import { useScreen } from './context.ts';
import { NextRefund } from './money.tsx';
import { prefillOf } from './prefill.ts';
import { ResultButton } from './result-button.tsx';
import { t } from './texts.ts';

/** Why a person cannot start a command now, or undefined if it can be started. */
const obstacleOf = ({ allowed, blockedBy, scope }: Action): string | undefined => {
  if (!allowed) return label('blocker', blockedBy ?? 'invalid_transition');
  return may(scope) ? undefined : t().adminOnly;
};

const RefundIntro = () => (
  <>
    <p>{t().movesNoMoney}</p>
    <NextRefund />
  </>
);

/** Returns the amount of the refund that was booked last. */
const bookedTotal = ({ refunds }: Return) => {
  const total = refunds.at(-1)?.amount;
  return total === undefined ? {} : { total };
};

/** Opens the form of a command on the whole return. */
export const useOpenAction = () => {
  const { value, open } = useScreen();
  return (action: Action): void => {
    const name = action.action;
    if (!isCommand(name) || obstacleOf(action) !== undefined) return;
    open({
      name,
      title: label('action', name),
      initial: prefillOf(name, value, action),
      ...(name === 'refund' && { intro: <RefundIntro /> }),
      ...(name === 'receiveAndRefund' && { intro: <p>{t().movesNoMoney}</p>, hidden: ['total'], seen: bookedTotal }),
    });
  };
};

const ActionButton = ({ action, isMain = false }: { action: Action; isMain?: boolean }) => {
  const openAction = useOpenAction();
  const id = useId();
  const obstacle = obstacleOf(action);
  const className = isMain ? 'primary' : dangerous.has(action.action) ? 'danger' : '';
  return (
    <>
      <button
        type="button"
        {...(className !== '' && obstacle === undefined && { class: className })}
        // A button that is only marked as disabled gets the focus, so its reason can be read.
        aria-disabled={obstacle !== undefined}
        {...(obstacle !== undefined && { 'aria-describedby': id, title: obstacle })}
        onClick={() => openAction(action)}
      >
        {label('action', action.action)}
      </button>
      {obstacle !== undefined && (
        <span id={id} class="visually-hidden">
          {obstacle}
        </span>
      )}
    </>
  );
};

const groupNames = (): Readonly<Record<ActionGroups['menu'][number][0], string>> => ({
  decision: fieldText('decision'),
  goods: fieldText('goods'),
  money: t().money,
  end: t().end,
});

const isPossible = (action: Action): boolean => obstacleOf(action) === undefined;

/** The commands that are not in view, by group. Those that something blocks have its reason in place of a button. */
const Menu = ({ of }: { of: ActionGroups['menu'] }) => {
  const menu = useRef<HTMLDetailsElement>(null);
  const close = () => {
    if (menu.current !== null) menu.current.open = false;
  };
  return (
    <details
      ref={menu}
      class="more-actions"
      onFocusOut={({ relatedTarget }) => {
        if (relatedTarget instanceof Node && menu.current?.contains(relatedTarget) !== true) close();
      }}
      onKeyDown={({ key }) => {
        if (key !== 'Escape') return;
        close();
        menu.current?.querySelector('summary')?.focus();
      }}
    >
      <summary class="button">{t().more}</summary>
      <div class="more-menu stack">
        {of.map(([name, actions]) => (
          <section key={name}>
            <h3>{groupNames()[name]}</h3>
            <div class="actions">
              {actions.filter(isPossible).map((action) => (
                <ActionButton key={action.action} action={action} />
              ))}
            </div>
            <dl class="blocked">
              {actions
                .filter((action) => !isPossible(action))
                .map((action) => (
                  <div key={action.action}>
                    <dt>{label('action', action.action)}</dt>
                    <dd>{obstacleOf(action)}</dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
    </details>
  );
};

const stepOf = (of: Return): string => {
  const { steps } = t();
  const next = nextCommand(of)?.action;
  const refund = next === 'recordRefundResult' ? openRefund(of)?.status : undefined;
  if (refund === 'failed') return steps.payAgain;
  if (refund === 'submitted' || refund === 'unknown') return steps.awaitResult;
  if (next === 'receive' && of.nextStep?.by === 'customer') return steps.send;
  if (next !== undefined && Object.hasOwn(steps, next)) return steps[next as keyof typeof steps];
  return isEnded(of) ? steps.ended : steps.wait;
};

/** The next step in a sentence, with who does it. The focus goes here after a command. */
export const NextStep = () => {
  const { value } = useScreen();
  return (
    <p class="next-step" tabIndex={-1}>
      <strong>{t().next}:</strong> {stepOf(value)}{' '}
      {value.nextStep !== undefined && <Badge>{label('party', value.nextStep.by)}</Badge>}
    </p>
  );
};

/** Records the result of the most urgent refund. The row of the refund has the button too. */
const ResultAction = ({ of }: { of: Return }) => {
  const refund = openRefund(of);
  if (refund === undefined) return null;
  return (
    <ResultButton refund={refund} text={label('action', 'recordRefundResult')} place={of.refunds.indexOf(refund) + 1} />
  );
};

/** The commands of the return: the next one first, then the usual ones, and all others in a menu. */
export const ActionBar = () => {
  const { value } = useScreen();
  if (!may('returns:write')) return null;
  const { inView, menu } = groupedActions(value, isPossible);
  const next = nextCommand(value);
  return (
    <div class="actions action-bar">
      {next?.action === 'recordRefundResult' && <ResultAction of={value} />}
      {inView.map((action) => (
        <ActionButton key={action.action} action={action} isMain={action === next} />
      ))}
      {menu.length > 0 && <Menu of={menu} />}
    </div>
  );
};
