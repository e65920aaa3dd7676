import { common } from '../../texts/common.ts';
import { message, type Offer, sayNothing } from './messages.ts';
import { open } from './opened.ts';
import { countUnexpected } from './scan.ts';
import { t } from './texts.ts';
import { fill } from '../../texts/fill.ts';

const textOf = (offer: Offer): string => {
  if (offer.kind === 'open') return fill(t().message.open, { rma: offer.rmaNumber });
  return offer.kind === 'again' ? t().message.again : t().message.unexpected;
};

/** The result of the last scan, which screen readers announce at once, and what a person can do about it. */
export const MessageView = ({
  onAgain,
  onEnd,
}: {
  onAgain: (code: string) => void;
  /** Called after a button was used: the scan field gets the focus. */
  onEnd: () => void;
}) => {
  const current = message.value;
  const take = async (offer: Offer) => {
    onEnd();
    if (offer.kind === 'open') {
      if (await open(offer.returnId)) sayNothing();
    } else if (offer.kind === 'again') onAgain(offer.code);
    else countUnexpected(offer.code);
  };
  return (
    <div class={`station-message ${current === undefined ? '' : `notice notice-${current.tone}`}`}>
      <div role="status" aria-live="assertive" aria-atomic="true">
        {current !== undefined && <p key={current.id}>{current.text}</p>}
      </div>
      {current !== undefined && current.offers.length > 0 && (
        <div class="actions">
          {current.offers.map((offer) => (
            <button type="button" key={textOf(offer)} class="primary" onClick={() => void take(offer)}>
              {textOf(offer)}
            </button>
          ))}
          <button
            type="button"
            onClick={() => {
              sayNothing();
              onEnd();
            }}
          >
            {current.offers.some(({ kind }) => kind === 'open') ? common().close : t().message.dismiss}
          </button>
        </div>
      )}
    </div>
  );
};
