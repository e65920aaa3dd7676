import { useMemo, useState } from 'preact/hooks';
import type { Output } from '../../../contract/contract.ts';
import { getDecision, getOrder, getReturn, listReasons } from '../../../contract/operations.ts';
import { useCall } from '../../api/use-call.ts';
import type { ScreenProps } from '../../app/routes.ts';
import { Resource } from '../../components/resource.tsx';
import { CommandDialog } from '../../forms/command-dialog.tsx';
import type { Titles } from '../../forms/return-form.ts';
import { may } from '../../session/session.ts';
import { language } from '../../texts/language.ts';
import { About } from './about.tsx';
import { ActionBar, NextStep } from './action-bar.tsx';
import { commands, type Return } from './commands.ts';
import { type Opened, ScreenContext } from './context.ts';
import { DecisionSection, Discrepancies } from './decision.tsx';
import { Evidence } from './evidence.tsx';
import { OtherGoods, Parcels } from './goods.tsx';
import { Head, Overview } from './head.tsx';
import { KeyHelp, useKeys } from './keys.tsx';
import { Lines } from './lines.tsx';
import { Messages } from './messages.tsx';
import { MoneySection } from './money.tsx';
import { Slip } from './slip.tsx';
import { Timeline } from './timeline.tsx';

const titlesOf = ({ lines }: Return, order: Output<'getOrder'> | undefined): Titles =>
  Object.fromEntries(
    lines.map((line) => {
      const sold = order?.lines.find(({ lineId }) => lineId === line.orderLineId);
      return [line.lineId, sold?.title ?? line.sku ?? line.orderLineId];
    }),
  );

/** The text of each reason in the language of the person, else in English or any other. */
const reasonTexts = (list: Output<'listReasons'> | undefined, chosen: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (list?.items ?? []).map(({ code, labels }) => {
      const names = [chosen, chosen.split('-')[0] ?? '', 'en', ...Object.keys(labels)];
      return [code, names.map((name) => labels[name]).find((text) => text !== undefined) ?? code];
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
  const { platform, orderId } = value.order;
  const order = useCall(getOrder, { platform, orderId });
  const reasonList = useCall(listReasons, {});
  const titles = useMemo(() => titlesOf(value, order.value), [value, order.value]);
  const reasons = useMemo(() => reasonTexts(reasonList.value, language.value), [reasonList.value, language.value]);
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
          onClose={() => setOpened(undefined)}
          onDone={reload}
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
  return (
    <Resource of={loaded}>
      {(value) => <Loaded value={value} version={loaded.version ?? value.version} reload={loaded.reload} />}
    </Resource>
  );
};
