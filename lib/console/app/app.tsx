import { useEffect, useState } from 'preact/hooks';
import { Dialog } from '../components/dialog.tsx';
import { Toasts } from '../components/toast.tsx';
import { leaveForSignIn, signIn, signInState } from '../session/page-sign-in.ts';
import { abandonRenewal, endsSoon, renew, renewal } from '../session/renew.ts';
import { session } from '../session/session.ts';
import { common } from '../texts/common.ts';
import { Header } from './header.tsx';
import { CurrentScreen } from './screen.tsx';
import { t } from './texts.ts';

const checkMs = 15_000;

/** Asks for a new sign-in when the token has ended or ends soon. Forms stay open below it. */
const RenewalBar = () => {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), checkMs);
    return () => clearInterval(timer);
  }, []);
  const asked = renewal.value;
  if (asked !== undefined)
    return (
      // It opens above a form, which stays as it is.
      <Dialog title={t().renewalBar.title} onClose={abandonRenewal}>
        <p>{t().renewalBar.ended}</p>
        {asked.failure !== undefined && <p role="alert">{t().renewalBar[asked.failure]}</p>}
        <div class="actions">
          <button type="button" class="primary" onClick={() => void renew()}>
            {t().renewalBar.title}
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
      <p>{t().renewalBar.endsSoon}</p>
      <button type="button" onClick={() => void renew()}>
        {t().renewalBar.title}
      </button>
    </div>
  );
};

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
