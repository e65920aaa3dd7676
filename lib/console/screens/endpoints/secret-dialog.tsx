import { Copy } from '../../components/basics.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { t } from './texts.ts';

/** Shows a new secret once. Nothing stores it: it is gone when the dialog closes. */
export const SecretDialog = ({ secret, onClose }: { secret: string; onClose: () => void }) => (
  <Dialog title={t().secretTitle} onClose={onClose}>
    <p>{t().secretText}</p>
    <p class="secret mono">{secret}</p>
    <div class="actions">
      <Copy text={secret} />
      <button type="button" class="primary" onClick={onClose}>
        {t().secretStored}
      </button>
    </div>
  </Dialog>
);
