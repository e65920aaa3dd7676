import { texts } from '../texts/language.ts';

const t = texts(
  { done: 'You are signed in. You can close this window.' },
  { done: 'Sessão iniciada. Pode fechar esta janela.' },
  { done: 'Login concluído. Você pode fechar esta janela.' },
);

/** What the window of a renewed sign-in shows when it cannot close itself. */
export const SignedIn = () => (
  <main class="sign-in">
    <p role="status">{t().done}</p>
  </main>
);
