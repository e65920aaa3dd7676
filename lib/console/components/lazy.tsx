import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Loading } from './basics.tsx';

/** Makes a component of a file that the browser loads when the component is first shown. */
export const lazy = <Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> => {
  let loaded: ComponentType<Props> | undefined;
  return (props: Props) => {
    const [state, setState] = useState<'ready' | 'loading' | 'failed'>(loaded === undefined ? 'loading' : 'ready');
    useEffect(() => {
      if (loaded !== undefined) return;
      const begin = async () => {
        try {
          loaded = await load();
          setState('ready');
        } catch (error) {
          console.error(error);
          setState('failed');
        }
      };
      void begin();
    }, []);
    // The boundary of the screen shows the failure.
    if (state === 'failed') throw new Error('A part of the screen cannot be loaded.');
    const Part = loaded;
    return Part === undefined ? <Loading /> : <Part {...props} />;
  };
};
