import { useEffect, useState } from 'preact/hooks';
import { Dialog } from '../components/dialog.tsx';
import { common } from '../texts/common.ts';
import { abandonRenewal, endsSoon, renew, renewal } from '../session/renew.ts';
import { t } from './texts.ts';

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
      <Dialog title={t().renewalBar.title} onClose={abandonRenewal}>
        <p>{t().renewalBar.ended}</p>
        {asked.failure !== undefined && <p role="alert">{t().renewalBar[asked.failure]}</p>}
        <div class="actions">
          <button type="button" class="primary" onClick={() => void renew()}>
            {t().renewalBar.signIn}
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
        {t().renewalBar.signIn}
      </button>
    </div>
  );
};
