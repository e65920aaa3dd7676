/** Parses CSV character by character (RFC 4180). Each row ends with CRLF. */
export const parseCsv = (text: string): string[][] => {
  const rows: string[][] = [];
  let [row, cell, quoted]: [string[], string, boolean] = [[], '', false];
  for (let index = 0; index < text.length; index += 1) {
    const letter = text.charAt(index);
    if (quoted && letter === '"' && text.charAt(index + 1) === '"') {
      cell += '"';
      index += 1;
    } else if (letter === '"') quoted = !quoted;
    else if (!quoted && letter === ',') {
      row.push(cell);
      cell = '';
    } else if (!quoted && letter === '\r' && text.charAt(index + 1) === '\n') {
      rows.push([...row, cell]);
      [row, cell] = [[], ''];
      index += 1;
    } else cell += letter;
  }
  if (cell !== '' || row.length > 0 || quoted) throw new Error('the last row does not end');
  return rows;
};
