import type { Output } from '../../contract/contract.ts';
import { language } from './language.ts';

/** Returns the text of each reason by its code: in the language of the person, else in English or any other. */
export const reasonTexts = (list: Output<'listReasons'> | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (list?.items ?? []).map(({ code, labels }) => {
      const chosen = language.value;
      const names = [chosen, chosen.split('-')[0] ?? '', 'en', ...Object.keys(labels)];
      return [code, names.map((name) => labels[name]).find((text) => text !== undefined) ?? code];
    }),
  );
