import { t } from './texts.ts';

/** What the window of a renewed sign-in shows when it cannot close itself. */
export const SignedIn = () => (
  <main class="sign-in">
    <p role="status">{t().signedIn.done}</p>
  </main>
);
