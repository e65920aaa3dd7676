import { render } from 'preact';
import { App } from './app/app.tsx';
import { t } from './app/texts.ts';
import { finishPopup } from './session/popup.ts';
import './styles/base.css';
import './styles/layout.css';
import './styles/components.css';
import './styles/operations.css';
import './screens/policies/policies.css';
import './screens/decision/decision.css';
import './screens/history/history.css';
import './screens/order/order.css';
import './screens/queue/queue.css';
import './screens/station/station.css';
import './forms/forms.css';
import './screens/return/return.css';

/** What the window of a renewed sign-in shows when it cannot close itself. */
const SignedIn = () => (
  <main class="sign-in">
    <p role="status">{t().signedIn.done}</p>
  </main>
);

const root = document.getElementById('app');
// A window of a renewed sign-in only sends its result to the console. Not every browser lets it close itself.
if (root !== null) render(finishPopup() ? <SignedIn /> : <App />, root);
