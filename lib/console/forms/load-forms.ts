import { useEffect, useState } from 'preact/hooks';
import type { ConsoleForms } from '../../contract/console.ts';
import { language, type Language } from '../texts/language.ts';

const loaded = new Map<string, unknown>();

/**
 * Loads a file on demand, once.
 *
 * @throws if the file cannot be loaded. The screen then asks the person to load the page again
 */
export const useLoaded = <File>(name: string, load: () => Promise<File>): File | undefined => {
  const [file, setFile] = useState(() => loaded.get(name) as File | undefined);
  const [failure, setFailure] = useState<unknown>();
  useEffect(() => {
    if (file !== undefined) return;
    const run = async () => {
      try {
        const found = await load();
        loaded.set(name, found);
        setFile(() => found);
      } catch (error) {
        setFailure(error);
      }
    };
    void run();
  }, []);
  if (failure !== undefined) throw failure instanceof Error ? failure : new Error('A file cannot be loaded.');
  return file;
};

/** Returns the schemas with other hints. A hint without a translation stays English. */
const withHints = (forms: ConsoleForms, hints: Readonly<Record<string, string>>): ConsoleForms =>
  JSON.parse(JSON.stringify(forms), (name, value: unknown) =>
    name === 'description' && typeof value === 'string' ? (hints[value] ?? value) : value,
  ) as ConsoleForms;

const loadForms = async (chosen: Language): Promise<ConsoleForms> => {
  const { default: forms } = await import('#contract/console-forms.json');
  if (chosen === 'en') return forms;
  const { portugueseHints } = await import('./portuguese-hints.ts');
  return withHints(forms, portugueseHints(chosen));
};

/**
 * Loads the schemas of all bodies, with hints in the language of the person. They are a file of their own: most screens
 * open without a form.
 */
export const useForms = (): ConsoleForms | undefined =>
  useLoaded(`schemas ${language.value}`, async () => loadForms(language.value));
