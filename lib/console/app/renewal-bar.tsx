import { useEffect, useState } from 'preact/hooks';
import { Dialog } from '../components/dialog.tsx';
import { common } from '../texts/common.ts';
import { abandonRenewal, endsSoon, renew, renewal } from '../session/renew.ts';
import { texts } from '../texts/language.ts';

const t = texts(
  {
    title: 'Sign in again',
    ended: 'Your session has expired. Sign in again: your entries stay as they are.',
    endsSoon: 'Your session expires soon.',
    signIn: 'Sign in again',
    blocked: 'The browser blocked the window. Allow windows of this page, then try again.',
    unfinished: 'The sign-in is not complete. Complete it in its window, or sign in again.',
    otherPerson: 'Another person signed in. Sign in as the person of this page, or sign out first.',
    failed: 'The sign-in failed. Try again.',
  },
  {
    title: 'Iniciar sessão novamente',
    ended: 'A sessão terminou. Inicie sessão novamente: o que escreveu fica como está.',
    endsSoon: 'A sessão termina em breve.',
    signIn: 'Iniciar sessão novamente',
    blocked: 'O navegador bloqueou a janela. Permita janelas desta página e tente novamente.',
    unfinished: 'O início de sessão não terminou. Conclua-o na janela ou inicie sessão novamente.',
    otherPerson: 'Outra pessoa iniciou sessão. Inicie sessão como a pessoa desta página ou termine a sessão.',
    failed: 'O início de sessão falhou. Tente novamente.',
  },
  {
    title: 'Entrar novamente',
    ended: 'Sua sessão terminou. Entre novamente: o que você escreveu fica como está.',
    endsSoon: 'Sua sessão termina em breve.',
    signIn: 'Entrar novamente',
    unfinished: 'O login não foi concluído. Conclua-o na janela ou entre novamente.',
    otherPerson: 'Outra pessoa entrou. Entre como a pessoa desta página ou saia primeiro.',
    failed: 'O login falhou. Tente novamente.',
  },
);

const checkMs = 15_000;

/** Asks for a new sign-in when the token has ended or ends soon. Forms stay open below it. */
export const RenewalBar = () => {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), checkMs);
    return () => clearInterval(timer);
  }, []);
  const asked = renewal.value;
  if (asked !== undefined)
    return (
      // It opens above a form, which stays as it is.
      <Dialog title={t().title} onClose={abandonRenewal}>
        <p>{t().ended}</p>
        {asked.failure !== undefined && <p role="alert">{t()[asked.failure]}</p>}
        <div class="actions">
          <button type="button" class="primary" onClick={() => void renew()}>
            {t().signIn}
          </button>
          <button type="button" onClick={abandonRenewal}>
            {common().cancel}
          </button>
        </div>
      </Dialog>
    );
  if (!endsSoon(now)) return null;
  return (
    <div class="notice notice-warning" role="status">
      <p>{t().endsSoon}</p>
      <button type="button" onClick={() => void renew()}>
        {t().signIn}
      </button>
    </div>
  );
};
