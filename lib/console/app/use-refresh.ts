import { useEffect, useRef } from 'preact/hooks';

const refreshMs = 30_000;

/** Runs a function when the person comes back to the page, and now and then while they see it. */
export const useRefresh = (run: () => void): void => {
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    const refresh = () => {
      if (!document.hidden) latest.current();
    };
    const timer = setInterval(refresh, refreshMs);
    document.addEventListener('visibilitychange', refresh);
    window.addEventListener('focus', refresh);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', refresh);
      window.removeEventListener('focus', refresh);
    };
  }, []);
};
