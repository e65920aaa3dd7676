import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Loading } from './basics.tsx';

const loaded = new Map<string, unknown>();

/**
 * Loads a file on demand, once.
 *
 * @throws if the file cannot be loaded. The screen then asks the person to load the page again
 */
export const useLoaded = <File,>(name: string, load: () => Promise<File>): File | undefined => {
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

/** Makes a component of a file that the browser loads when the component is first shown. */
export const lazy =
  <Props extends object>(name: string, load: () => Promise<ComponentType<Props>>): ComponentType<Props> =>
  (props: Props) => {
    const Part = useLoaded(name, load);
    return Part === undefined ? <Loading /> : <Part {...props} />;
  };
