import { useEffect } from 'preact/hooks';
import { Toasts } from '../components/toast.tsx';
import { leaveForSignIn, signIn, signInState } from '../session/page-sign-in.ts';
import { session } from '../session/session.ts';
import { texts } from '../texts/language.ts';
import { Header } from './header.tsx';
import { RenewalBar } from './renewal-bar.tsx';
import { CurrentScreen } from './screen.tsx';

const t = texts(
  {
    signingIn: 'Signing in…',
    signedOut: 'You are signed out.',
    failed: 'The sign-in failed. The issuer of the tokens did not answer, or did not accept it.',
    signIn: 'Sign in',
    skip: 'Skip to the content',
  },
  {
    signingIn: 'A iniciar sessão…',
    signedOut: 'A sessão terminou.',
    failed: 'O início de sessão falhou. O emissor não respondeu ou não o aceitou.',
    signIn: 'Iniciar sessão',
    skip: 'Saltar para o conteúdo',
  },
  {
    signingIn: 'Entrando…',
    signedOut: 'Você saiu.',
    failed: 'O login falhou. O emissor não respondeu ou não o aceitou.',
    signIn: 'Entrar',
    skip: 'Pular para o conteúdo',
  },
);

const SignInPage = () => {
  useEffect(() => {
    // A person who signed out stays so.
    if (signInState.peek() === 'working') void signIn();
  }, []);
  const state = signInState.value;
  if (state === 'working')
    return (
      <main class="sign-in">
        <p role="status">{t().signingIn}</p>
      </main>
    );
  return (
    <main class="sign-in">
      <h1>Returns</h1>
      <p role={state === 'failed' ? 'alert' : 'status'}>{state === 'failed' ? t().failed : t().signedOut}</p>
      <button type="button" class="primary" onClick={() => void leaveForSignIn('/')}>
        {t().signIn}
      </button>
    </main>
  );
};

/** The console: the sign-in, then the navigation with the screen of the address. */
export const App = () => {
  if (session.value === undefined) return <SignInPage />;
  return (
    <>
      <a class="skip-link" href="#content">
        {t().skip}
      </a>
      <Header />
      <RenewalBar />
      <main id="content" tabIndex={-1}>
        <CurrentScreen />
      </main>
      <Toasts />
    </>
  );
};
