const two = (value: number): string => String(value).padStart(2, '0');

/** Returns the value of a `datetime-local` input for an instant, in the zone of the browser. */
export const localOf = (instant: string): string => {
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return '';
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
};

/** Returns the instant of a `datetime-local` input, or nothing for an empty or incomplete one. */
export const instantOf = (local: string): string | undefined => {
  const at = new Date(local);
  return local === '' || Number.isNaN(at.getTime()) ? undefined : at.toISOString();
};
