import { useEffect } from 'preact/hooks';
import { Toasts } from '../components/toast.tsx';
import { leaveForSignIn, signIn, signInState } from '../session/page-sign-in.ts';
import { session } from '../session/session.ts';
import { t } from './texts.ts';
import { Header } from './header.tsx';
import { RenewalBar } from './renewal-bar.tsx';
import { CurrentScreen } from './screen.tsx';

const SignInPage = () => {
  useEffect(() => {
    // A person who signed out stays so.
    if (signInState.peek() === 'working') void signIn();
  }, []);
  const state = signInState.value;
  if (state === 'working')
    return (
      <main class="sign-in">
        <p role="status">{t().signIn.signingIn}</p>
      </main>
    );
  return (
    <main class="sign-in">
      <h1>Returns</h1>
      <p role={state === 'failed' ? 'alert' : 'status'}>
        {state === 'failed' ? t().signIn.failed : t().signIn.signedOut}
      </p>
      <button type="button" class="primary" onClick={() => void leaveForSignIn('/')}>
        {t().signIn.signIn}
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
        {t().signIn.skip}
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
