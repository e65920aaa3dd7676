import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** The title of the shown thing, such as a return with its status. */
export const ownTitle = signal<string | undefined>(undefined);

/**
 * Titles the tab by what the screen shows. The browser stores titles, so no name of a customer is in one.
 *
 * @param titleOf runs after each rendering
 */
export const useTitle = (titleOf: () => string | undefined): void => {
  useEffect(() => {
    ownTitle.value = titleOf();
  });
  useEffect(
    () => () => {
      ownTitle.value = undefined;
    },
    [],
  );
};
