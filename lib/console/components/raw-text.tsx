import { useState } from 'preact/hooks';
import { beginningOf, maxShown } from '../texts/beginning.ts';
import { fill } from '../texts/fill.ts';
import { formatNumber } from '../texts/format.ts';
import { indentJson } from '../texts/indent-json.ts';
import { Copy } from './basics.tsx';
import { download } from './download.ts';
import { t } from './texts.ts';

const maxFormatted = 1_000_000;

const formattedOf = (text: string): string | undefined => (text.length > maxFormatted ? undefined : indentJson(text));

/** The bytes of a request as text. JSON can be shown formatted. */
export const RawText = ({ text, name }: { text: string; name: string }) => {
  const formatted = formattedOf(text);
  const [isExact, setExact] = useState(false);
  const shown = isExact ? text : (formatted ?? text);
  if (text === '') return <p class="empty">{t().rawText.empty}</p>;
  return (
    <>
      <div class="row">
        <span class="fine">
          {fill(t().rawText.size, { bytes: formatNumber(new TextEncoder().encode(text).length) })}
        </span>
        {formatted !== undefined && (
          <button type="button" aria-pressed={isExact} onClick={() => setExact(!isExact)}>
            {isExact ? t().rawText.formatted : t().rawText.exact}
          </button>
        )}
        <button
          type="button"
          onClick={() =>
            download(
              `${name}.${formatted === undefined ? 'txt' : 'json'}`,
              text,
              formatted === undefined ? 'text/plain' : 'application/json',
            )
          }
        >
          {t().rawText.save}
        </button>
        <Copy text={text} />
      </div>
      <pre class="json body-text" tabIndex={0}>
        {beginningOf(shown)}
      </pre>
      {shown.length > maxShown && <p class="fine">{fill(t().rawText.cut, { shown: formatNumber(maxShown) })}</p>}
    </>
  );
};
