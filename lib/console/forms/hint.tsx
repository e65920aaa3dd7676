/** Sentences about null help a program: a person empties the field. */
const forPeople = (text: string): string =>
  text
    .split(/(?<=\.) /)
    .filter((sentence) => !sentence.includes('`null`'))
    .join(' ');

/** The hint of a field. Codes in it stand between backticks. */
export const Hint = ({ id, text }: { id: string; text: string }) => (
  <span id={id} class="field-hint">
    {forPeople(text)
      .split('`')
      .map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}
  </span>
);
