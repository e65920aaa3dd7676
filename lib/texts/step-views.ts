import type { Language } from '../returns/languages.ts';
import type { Step } from '../returns/money/quote.ts';
import { catalogues } from './catalogues.ts';
import { itemText, type ItemNames } from './item.ts';

/** What a step of a quote is, in one sentence. */
const stepDetail = ({ about }: Pick<Step, 'about'>, items: ItemNames, language: Language): string => {
  const catalogue = catalogues[language];
  if (about.kind === 'goods') return catalogue.goods(itemText(catalogue, about.quantity, items.get(about.orderLineId)));
  return about.kind === 'shipping' ? catalogue.shipping[about.share] : catalogue.steps[about.kind];
};

/** The steps of a quote as the contract has them: with a text in place of what they are about. */
export const stepViews = <Of extends Pick<Step, 'about'>>(
  steps: readonly Of[],
  items: ItemNames,
  language: Language,
): (Omit<Of, 'about'> & { detail: string })[] =>
  steps.map(({ about, ...step }) => ({ ...step, detail: stepDetail({ about }, items, language) }));
