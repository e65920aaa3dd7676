import { useEffect, useState } from 'preact/hooks';
import { guardScreen, navigate } from '../app/router.ts';
import { Dialog } from './dialog.tsx';
import { t } from './texts.ts';

/** Asks before the person leaves the screen or the page with unsaved changes. */
export const Unsaved = ({ isDirty }: { isDirty: boolean }) => {
  const [target, setTarget] = useState<string | undefined>();
  useEffect(() => {
    if (!isDirty) return undefined;
    const endGuard = guardScreen((to) => {
      setTarget(to);
      return false;
    });
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => {
      endGuard();
      window.removeEventListener('beforeunload', warn);
    };
  }, [isDirty]);
  if (target === undefined) return null;
  const leave = () => {
    guardScreen(() => true);
    navigate(target);
  };
  return (
    <Dialog title={t().unsaved.title} onClose={() => setTarget(undefined)}>
      <p>{t().unsaved.text}</p>
      <div class="actions">
        <button type="button" class="danger" onClick={leave}>
          {t().unsaved.leave}
        </button>
        <button type="button" onClick={() => setTarget(undefined)}>
          {t().unsaved.stay}
        </button>
      </div>
    </Dialog>
  );
};
