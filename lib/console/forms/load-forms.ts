import { useEffect, useState } from 'preact/hooks';
import type { ConsoleForms } from '../../contract/console.ts';

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

const loadForms = async (): Promise<ConsoleForms> => {
  const { default: forms } = await import('#contract/console-forms.json');
  return forms;
};

/** Loads the schemas of all bodies. They are a file of their own: most screens open without a form. */
export const useForms = (): ConsoleForms | undefined => useLoaded('schemas', loadForms);
