import { render } from 'preact';
import { App } from './app/app.tsx';
import { finishPopup } from './session/popup.ts';
import './styles/base.css';
import './styles/layout.css';
import './styles/components.css';
import './styles/operations.css';
import './screens/policies/policies.css';
import './screens/decision/decision.css';
import './screens/history/history.css';

const root = document.getElementById('app');
// A window of a renewed sign-in only sends its result to the console.
if (root !== null && !finishPopup()) render(<App />, root);
