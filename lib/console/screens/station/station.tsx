import { useEffect, useRef } from 'preact/hooks';
import { hrefOf, query, setQuery } from '../../app/router.ts';
import { titles } from '../../app/texts.ts';
import { Section, Time } from '../../components/basics.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { RefundBadge, StatusBadge } from '../../components/return-badges.tsx';
import { common } from '../../texts/common.ts';
import { fill } from '../../texts/fill.ts';
import { totalOf } from './counting.ts';
import { InspectStep } from './inspect-step.tsx';
import { message, type Offer, say, sayNothing } from './messages.ts';
import { close, open, opened, type Opened, readingProblem, type Step, steps } from './opened.ts';
import { PhotoStep } from './photo-step.tsx';
import { ReceiveStep } from './receive-step.tsx';
import { ScanField } from './scan-field.tsx';
import { scan } from './scan.ts';
import { t } from './texts.ts';
import { forgetSaved } from './upload.ts';
import { counts, done, rmaNumbers, unsentReturns } from './work.ts';

/**
 * The result of the last scan, which screen readers announce at once, and the returns to choose from.
 *
 * @param onEnd called after a button was used: the scan field gets the focus
 */
const MessageView = ({ onEnd }: { onEnd: () => void }) => {
  const current = message.value;
  const take = async ({ returnId }: Offer) => {
    onEnd();
    if (await open(returnId)) sayNothing();
  };
  return (
    <div class={`station-message ${current === undefined ? '' : `notice notice-${current.tone}`}`}>
      <div role="status" aria-live="assertive" aria-atomic="true">
        {current !== undefined && <p key={current.id}>{current.text}</p>}
      </div>
      {current !== undefined && current.offers.length > 0 && (
        <div class="actions">
          {current.offers.map((offer) => (
            <button type="button" key={offer.returnId} class="primary" onClick={() => void take(offer)}>
              {fill(t().message.open, { rma: offer.rmaNumber })}
            </button>
          ))}
          <button
            type="button"
            onClick={() => {
              sayNothing();
              onEnd();
            }}
          >
            {common().close}
          </button>
        </div>
      )}
    </div>
  );
};

const stepOf = (value: string | null): Step => steps.find((step) => step === value) ?? 'receive';

const ReturnHead = ({ of, onNext }: { of: Opened; onNext: () => void }) => {
  const { returnId, rmaNumber, status, refundStatus, order } = of.value;
  return (
    <div class="section-head">
      <div class="row">
        <h2 class="station-rma mono">{rmaNumber}</h2>
        <StatusBadge status={status} />
        <RefundBadge status={refundStatus} />
        <span>
          {common().order} {order.number ?? order.orderId}
        </span>
        <a href={hrefOf(`/returns/${returnId}`)}>{t().openReturn}</a>
      </div>
      <button type="button" class="station-large" onClick={onNext}>
        {t().nextParcel}
      </button>
    </div>
  );
};

const Steps = ({ current }: { current: Step }) => (
  <nav class="tabs" aria-label={t().steps}>
    {steps.map((step, index) => (
      <button
        type="button"
        key={step}
        {...(step === current && { 'aria-current': 'step' as const })}
        onClick={() => setQuery({ step }, { replace: true })}
      >
        {index + 1}. {t().step[step]}
      </button>
    ))}
  </nav>
);

const Session = () => (
  <Section title={t().session.title}>
    {done.value.length === 0 ? (
      <p class="fine">{t().session.nothing}</p>
    ) : (
      <ol class="station-done">
        {done.value.map(({ at, returnId, rmaNumber, text }) => (
          <li key={`${at} ${text}`}>
            <Time at={at} />{' '}
            <a class="mono" href={hrefOf(`/returns/${returnId}`)}>
              {rmaNumber}
            </a>{' '}
            {text}
          </li>
        ))}
      </ol>
    )}
  </Section>
);

/** Returns with counted units that wait for their receipt. */
const Unsent = ({ current, onOpen }: { current: string | undefined; onOpen: (returnId: string) => void }) => {
  const others = unsentReturns().filter((returnId) => returnId !== current);
  if (others.length === 0) return null;
  return (
    <div class="notice notice-warning">
      <strong>{t().receive.unsent}</strong>
      <div class="actions">
        {others.map((returnId) => (
          <button type="button" key={returnId} onClick={() => onOpen(returnId)}>
            {fill(t().message.open, { rma: rmaNumbers.of(returnId) })} ({totalOf(counts.of(returnId))})
          </button>
        ))}
      </div>
    </div>
  );
};

/** The screen of the warehouse: scan, receive, photograph, grade and dispose. */
export const Screen = () => {
  const field = useRef<HTMLInputElement>(null);
  const step = stepOf(query.value.get('step'));
  const wanted = query.value.get('return') ?? undefined;
  const current = opened.value;
  const focus = () => field.current?.focus();
  useEffect(() => {
    if (wanted !== undefined && opened.peek()?.value.returnId !== wanted) void open(wanted);
    const leave = (event: BeforeUnloadEvent) => {
      if (unsentReturns().length > 0) event.preventDefault();
    };
    window.addEventListener('beforeunload', leave);
    return () => window.removeEventListener('beforeunload', leave);
  }, []);
  /** Goes on after a step of a return, unless the person chose another step or return while the step ended. */
  const goOn = (returnId: string, done: Step, following: Step) => {
    if (opened.peek()?.value.returnId !== returnId || stepOf(query.peek().get('step')) !== done) return;
    setQuery({ step: following }, { replace: true });
    focus();
  };
  const next = () => {
    const id = current?.value.returnId;
    if (current !== undefined && id !== undefined && unsentReturns().includes(id))
      say('warning', fill(t().message.kept, { rma: current.value.rmaNumber }));
    else sayNothing();
    if (id !== undefined) forgetSaved(id);
    close();
    focus();
  };
  return (
    <div class="station">
      <div class="screen-head">
        <h1>{titles().station}</h1>
      </div>
      <ScanField field={field} onCode={(code) => void scan(code, step)} />
      <MessageView onEnd={focus} />
      {readingProblem.value !== undefined && <ProblemNotice problem={readingProblem.value} />}
      {current === undefined ? (
        <p class="empty">{t().begin}</p>
      ) : (
        <section class="section" aria-label={current.value.rmaNumber}>
          <ReturnHead of={current} onNext={next} />
          <Steps current={step} />
          {step === 'receive' && (
            <ReceiveStep
              key={current.value.returnId}
              of={current}
              onDone={() => goOn(current.value.returnId, 'receive', 'photograph')}
            />
          )}
          {step === 'photograph' && (
            <PhotoStep
              key={current.value.returnId}
              of={current}
              onDone={() => goOn(current.value.returnId, 'photograph', 'inspect')}
            />
          )}
          {step === 'inspect' && <InspectStep key={current.value.returnId} of={current} onDone={focus} />}
        </section>
      )}
      <Unsent
        current={current?.value.returnId}
        onOpen={(returnId) => {
          void open(returnId);
          focus();
        }}
      />
      <Session />
    </div>
  );
};
