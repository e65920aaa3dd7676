import { useState } from 'preact/hooks';
import { beginningOf, maxShown } from '../texts/beginning.ts';
import { formatNumber } from '../texts/format.ts';
import { indentJson } from '../texts/indent-json.ts';
import { texts } from '../texts/language.ts';
import { Copy } from './basics.tsx';
import { download } from './download.ts';

const t = texts(
  {
    formatted: 'Formatted',
    exact: 'Exact',
    save: 'Save as a file',
    size: (bytes: string) => `${bytes} bytes`,
    cut: (shown: string) => `Only the first ${shown} characters are shown. Save the file to see all.`,
    empty: 'It is empty.',
  },
  {
    formatted: 'Formatado',
    exact: 'Exato',
    save: 'Guardar como ficheiro',
    size: (bytes: string) => `${bytes} bytes`,
    cut: (shown: string) => `São mostrados só os primeiros ${shown} caracteres. Guarde o ficheiro para ver tudo.`,
    empty: 'Está vazio.',
  },
  {
    save: 'Salvar como arquivo',
    cut: (shown: string) => `São mostrados só os primeiros ${shown} caracteres. Salve o arquivo para ver tudo.`,
  },
);

const maxFormatted = 1_000_000;

const formattedOf = (text: string): string | undefined => (text.length > maxFormatted ? undefined : indentJson(text));

/** The bytes of a request as text. JSON can be shown formatted. */
export const RawText = ({ text, name }: { text: string; name: string }) => {
  const formatted = formattedOf(text);
  const [isExact, setExact] = useState(false);
  const shown = isExact ? text : (formatted ?? text);
  if (text === '') return <p class="empty">{t().empty}</p>;
  return (
    <>
      <div class="row">
        <span class="fine">{t().size(formatNumber(new TextEncoder().encode(text).length))}</span>
        {formatted !== undefined && (
          <button type="button" aria-pressed={isExact} onClick={() => setExact(!isExact)}>
            {isExact ? t().formatted : t().exact}
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
          {t().save}
        </button>
        <Copy text={text} />
      </div>
      <pre class="json body-text" tabIndex={0}>
        {beginningOf(shown)}
      </pre>
      {shown.length > maxShown && <p class="fine">{t().cut(formatNumber(maxShown))}</p>}
    </>
  );
};
