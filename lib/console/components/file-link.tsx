import { useRef, useState } from 'preact/hooks';
import type { Output } from '../../contract/contract.ts';
import { fill } from '../texts/fill.ts';
import { formatNumber } from '../texts/format.ts';
import { isWebAddress } from './checked-link.tsx';
import { t } from './texts.ts';

export type StoredFile = NonNullable<Output<'getReturn'>['evidence']>[number];

const typeOf = ({ contentType }: StoredFile): string => contentType.split('/')[1] ?? '';

/** Browsers show no HEIC. */
const isPicture = (file: StoredFile): boolean => ['jpeg', 'png', 'webp'].includes(typeOf(file));

/** Returns the type and the size of a file. */
export const aboutFile = (file: StoredFile): string =>
  `${typeOf(file)} · ${formatNumber(Math.ceil(file.size / 1024))} kB`;

/**
 * A link to stored evidence, with its picture.
 *
 * @param onExpired gets a new link, as the old one no longer works
 */
export const FileLink = ({
  file,
  name,
  onExpired,
  onBroken,
}: {
  file: StoredFile;
  name: string;
  onExpired: () => void;
  onBroken?: () => void;
}) => {
  const [isBroken, setBroken] = useState(false);
  // Each read has another link. The first one keeps the picture in place while it works.
  const first = useRef(file);
  if (Date.parse(first.current.expiresAt) <= Date.now()) first.current = file;
  const { url, expiresAt } = first.current;
  if (!isWebAddress(url)) return null;
  return (
    <a
      class="file-link"
      href={url}
      target="_blank"
      rel="noreferrer"
      aria-label={fill(t().openFile, { name: `${name}, ${aboutFile(file)}` })}
      onClick={(event) => {
        if (Date.parse(expiresAt) > Date.now()) return;
        event.preventDefault();
        onExpired();
      }}
    >
      {isPicture(file) && !isBroken ? (
        <img
          src={url}
          alt={name}
          loading="lazy"
          width={96}
          height={96}
          onError={() => {
            setBroken(true);
            onBroken?.();
          }}
        />
      ) : (
        <span class="file-type">{typeOf(file)}</span>
      )}
    </a>
  );
};
