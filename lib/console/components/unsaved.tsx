import { useEffect, useState } from 'preact/hooks';
import { guardScreen, navigate } from '../app/router.ts';
import { texts } from '../texts/language.ts';
import { Dialog } from './dialog.tsx';

const t = texts(
  {
    title: 'Leave without saving?',
    text: 'You have changes that are not saved. They are lost when you leave.',
    leave: 'Leave without saving',
    stay: 'Stay',
  },
  {
    title: 'Sair sem guardar?',
    text: 'Há alterações por guardar. Perdem-se se sair.',
    leave: 'Sair sem guardar',
    stay: 'Ficar',
  },
  {
    title: 'Sair sem salvar?',
    text: 'Há alterações não salvas. Elas se perdem se você sair.',
    leave: 'Sair sem salvar',
  },
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
  return (
    <Dialog title={t().title} onClose={() => setTarget(undefined)}>
      <p>{t().text}</p>
      <div class="actions">
        <button type="button" class="danger" onClick={leave}>
          {t().leave}
        </button>
        <button type="button" onClick={() => setTarget(undefined)}>
          {t().stay}
        </button>
      </div>
    </Dialog>
  );
};
