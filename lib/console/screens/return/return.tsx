import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Output } from '../../../contract/contract.ts';
import { getDecision, getHistory, getOrder, getReturn, listReasons } from '../../../contract/operations.ts';
import { useCall } from '../../api/use-call.ts';
import { usePages } from '../../api/use-pages.ts';
import { hrefOf } from '../../app/router.ts';
import type { ScreenProps } from '../../app/screen-props.ts';
import { useSingleKeys } from '../../app/single-keys.ts';
import { titles } from '../../app/texts.ts';
import { useRefresh } from '../../app/use-refresh.ts';
import { Facts, Json, Section } from '../../components/basics.tsx';
import { KeyHelp as Help } from '../../components/key-help.tsx';
import { PageEnd, PageProblem } from '../../components/page-table.tsx';
import { Resource } from '../../components/resource.tsx';
import { Timeline as Entries } from '../../components/timeline.tsx';
import { CommandDialog } from '../../forms/command-dialog.tsx';
import { fieldText } from '../../forms/field-texts.ts';
import type { Titles } from '../../forms/return-form.ts';
import { may } from '../../session/session.ts';
import { common } from '../../texts/common.ts';
import { label } from '../../texts/labels.ts';
import { reasonTexts } from '../../texts/reasons.ts';
import { ActionBar, NextStep, useOpenAction } from './action-bar.tsx';
import { commands, dangerous, type Return } from './commands.ts';
import { type Opened, ScreenContext, useScreen } from './context.ts';
import { CustomerMessage } from './customer-message.tsx';
import { DecisionSection, Discrepancies } from './decision.tsx';
import { Evidence } from './evidence.tsx';
import { OtherGoods, Parcels } from './goods.tsx';
import { Head, openBeside, Overview } from './head.tsx';
import { Intents } from './intents.tsx';
import { Lines } from './lines.tsx';
import { Messages } from './messages.tsx';
import { MoneySection } from './money.tsx';
import { prefillOf } from './prefill.ts';
import { Slip } from './slip.tsx';
import { t } from './texts.ts';

const pageSize = 50;

/** The history: what happened, when, and who did it. Each version of the return has another one. */
const Timeline = () => {
  const { returnId, version } = useScreen().value;
  const pages = usePages(getHistory, { returnId, limit: pageSize }, { round: version });
  return (
    <Section title={titles().history} actions={<a href={hrefOf(`/history?returnId=${returnId}`)}>{t().fullHistory}</a>}>
      <Entries
        entries={pages.items ?? []}
        summary={t().data}
        details={({ data }) => <Json value={data} />}
        more={(entry) => <CustomerMessage of={entry} />}
      />
      <PageProblem of={pages} />
      <PageEnd of={pages} />
    </Section>
  );
};

const actionKeys: Readonly<Record<string, string>> = {
  a: 'approve',
  r: 'receive',
  i: 'inspect',
  f: 'refund',
  n: 'addNote',
};

const focusNote = (): (() => void) | undefined => {
  const note = document.querySelector<HTMLElement>('#quick-note');
  return note === null ? undefined : () => note.focus();
};

/** Opens commands by single keys. A command that the return does not list has no key. */
const useKeys = (onHelp: () => void): void => {
  const { value } = useScreen();
  const openAction = useOpenAction();
  useSingleKeys((key) => {
    if (key === '?') return onHelp;
    if (key === 'n') return focusNote();
    if (key === 'j' || key === 'k') return openBeside(value.returnId, key === 'j' ? 1 : -1);
    const action = value.allowedActions?.find((candidate) => candidate.action === actionKeys[key]);
    return action === undefined ? undefined : () => openAction(action);
  });
};

const KeyHelp = ({ onClose }: { onClose: () => void }) => (
  <Help
    keys={[
      ...Object.entries(actionKeys).map(([key, action]) => [key, label('action', action)] as const),
      ['j', t().nextReturn],
      ['k', t().previousReturn],
    ]}
    onClose={onClose}
  />
);

/** The shop's own tags, values and ids. */
const About = () => {
  const { value, open } = useScreen();
  const edit = () =>
    open({ name: 'updateReturn', title: label('action', 'updateReturn'), initial: prefillOf('updateReturn', value) });
  return (
    <Section
      title={t().about}
      actions={
        may('returns:write') && (
          <button type="button" class="small" onClick={edit}>
            {common().edit}
          </button>
        )
      }
    >
      <Facts
        rows={[
          [fieldText('tags'), value.tags.join(', ') || common().none],
          ...Object.entries(value.metadata),
          ...value.externalRefs.map(({ platform, id }) => [platform, <code key={id}>{id}</code>] as const),
        ]}
      />
    </Section>
  );
};

const titlesOf = ({ lines }: Return, order: Output<'getOrder'> | undefined): Titles =>
  Object.fromEntries(
    lines.map((line) => {
      const sold = order?.lines.find(({ lineId }) => lineId === line.orderLineId);
      return [line.lineId, sold?.title ?? line.sku ?? line.orderLineId];
    }),
  );

const Body = () => {
  const [showsKeys, setShowsKeys] = useState(false);
  useKeys(() => setShowsKeys(true));
  return (
    <>
      <Head onKeys={() => setShowsKeys(true)} />
      {showsKeys && <KeyHelp onClose={() => setShowsKeys(false)} />}
      <NextStep />
      <ActionBar />
      <Discrepancies />
    </>
  );
};

const Parts = ({ value }: { value: Return }) => {
  const decisionId = value.decision?.decisionId;
  const decision = useCall(getDecision, decisionId === undefined ? undefined : { decisionId });
  return (
    <div class="columns">
      <div class="stack">
        <Lines />
        <MoneySection decision={decision.value} />
        <Parcels />
        <OtherGoods />
        <Evidence />
        <Intents />
        <Timeline />
      </div>
      <div class="stack">
        <Overview />
        <DecisionSection decision={decision.value} />
        <Messages />
        <About />
      </div>
    </div>
  );
};

const Loaded = ({ value, version, reload }: { value: Return; version: number; reload: () => void }) => {
  const [opened, setOpened] = useState<Opened | undefined>();
  const isSent = useRef(false);
  // The work goes on with the next step.
  useEffect(() => {
    if (isSent.current) document.querySelector<HTMLElement>('.next-step')?.focus();
    isSent.current = false;
  }, [version]);
  const { platform, orderId } = value.order;
  const order = useCall(getOrder, { platform, orderId });
  const reasonList = useCall(listReasons, {});
  const titles = useMemo(() => titlesOf(value, order.value), [value, order.value]);
  const reasons = reasonTexts(reasonList.value);
  return (
    <ScreenContext.Provider value={{ value, titles, reasons, open: setOpened, reload }}>
      <div class="return-screen">
        <Body />
        <Parts value={value} />
      </div>
      <Slip />
      {opened !== undefined && may('returns:write') && (
        <CommandDialog
          operation={commands[opened.name]}
          title={opened.title}
          input={{ returnId: value.returnId, ...opened.input }}
          version={version}
          initial={opened.initial}
          before={value}
          titles={titles}
          choices={opened.choices}
          hidden={opened.hidden}
          excluded={opened.excluded}
          seen={opened.seen}
          isDangerous={dangerous.has(opened.name)}
          onClose={() => setOpened(undefined)}
          onDone={() => {
            isSent.current = true;
            reload();
          }}
        >
          {opened.intro}
        </CommandDialog>
      )}
    </ScreenContext.Provider>
  );
};

/** A return: what happened, what comes next, and the commands for it. */
export const Screen = ({ id }: ScreenProps) => {
  const loaded = useCall(getReturn, { returnId: id });
  // An open form keeps its entries and the version that the person has seen.
  useRefresh(loaded.reload);
  return (
    <Resource of={loaded}>
      {(value) => <Loaded value={value} version={loaded.version ?? value.version} reload={loaded.reload} />}
    </Resource>
  );
};
