import type { ConsoleForms } from '../../contract/console.ts';
import { useLoaded } from '../components/lazy.tsx';
import { language, type Language } from '../texts/language.ts';
import { brazilian } from './brazilian.ts';
import { withHints } from './hints.ts';

const loadForms = async (chosen: Language): Promise<ConsoleForms> => {
  const { default: forms } = await import('#contract/console-forms.json');
  if (chosen === 'en') return forms;
  const { default: hints } = await import('#contract/console-hints.json');
  return withHints(forms, chosen === 'pt-BR' ? hints.map(brazilian) : hints);
};

/**
 * Loads the schemas of all bodies, with hints in the language of the person. They are a file of their own: most screens
 * open without a form.
 */
export const useForms = (): ConsoleForms | undefined =>
  useLoaded(`schemas ${language.value}`, async () => loadForms(language.value));
