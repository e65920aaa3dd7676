import { useEffect, useRef } from 'preact/hooks';

/** Runs a function when the connection comes back. */
export const useOnline = (run: (() => void) | undefined): void => {
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    const again = () => latest.current?.();
    window.addEventListener('online', again);
    return () => window.removeEventListener('online', again);
  }, []);
};
