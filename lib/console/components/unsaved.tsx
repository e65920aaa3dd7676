import { useEffect, useState } from 'preact/hooks';
import { guardScreen, navigate } from '../app/router.ts';
import { Dialog } from './dialog.tsx';
import { t } from './texts.ts';

/** Asks whether entries may be lost. */
export const LeaveDialog = ({ onLeave, onStay }: { onLeave: () => void; onStay: () => void }) => (
  <Dialog title={t().unsaved.title} onClose={onStay}>
    <p>{t().unsaved.text}</p>
    <div class="actions">
      <button type="button" class="danger" onClick={onLeave}>
        {t().unsaved.leave}
      </button>
      <button type="button" onClick={onStay}>
        {t().unsaved.stay}
      </button>
    </div>
  </Dialog>
);

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
  return <LeaveDialog onLeave={leave} onStay={() => setTarget(undefined)} />;
};
