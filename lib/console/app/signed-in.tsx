import { texts } from '../texts/language.ts';

const t = texts(
  { done: 'The sign-in has ended. You can close this window.' },
  { done: 'O início de sessão terminou. Pode fechar esta janela.' },
  { done: 'A entrada terminou. Você pode fechar esta janela.' },
);

/** What the window of a renewed sign-in shows when it cannot close itself. */
export const SignedIn = () => (
  <main class="sign-in">
    <p role="status">{t().done}</p>
  </main>
);
