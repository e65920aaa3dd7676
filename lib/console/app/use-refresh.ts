import { useEffect, useRef } from 'preact/hooks';

/** A browser reports the return to a page twice: the page is visible, and its window has the focus. */
const oneReturnMs = 1_000;

/** Runs a function when the person comes back to the page, and once in each period while they see it. */
export const useRefresh = (run: () => void, periodMs = 30_000): void => {
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    let last = -Infinity;
    const refresh = () => {
      const now = performance.now();
      if (document.hidden || now - last < oneReturnMs) return;
      last = now;
      latest.current();
    };
    const timer = setInterval(refresh, periodMs);
    document.addEventListener('visibilitychange', refresh);
    window.addEventListener('focus', refresh);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', refresh);
      window.removeEventListener('focus', refresh);
    };
  }, []);
};
