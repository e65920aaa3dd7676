/*
 * Reads CSV as RFC 4180 has it, row by row: memory holds one row. No library: a person needs the row and the limit in
 * the error, and the format has four states.
 */

/** A row of a file. Row 1 is the heading, as spreadsheets count. */
export type CsvRow = { readonly row: number; readonly cells: readonly string[] };

/** What is wrong with the file from a row on. Nothing after it can be read. */
export type CsvFailure = { readonly row: number; readonly failure: string };

/** The longest cell. No field of a return has more characters. */
const maxCell = 10_000;

type Cell = 'empty' | 'plain' | 'quoted' | 'closed';

type Progress = { row: number; cells: string[]; cell: string; state: Cell; afterReturn: boolean };

const failures = {
  quote: 'a cell with a quote must begin and end with one, and a quote within it is doubled',
  long: `a cell has more than ${maxCell} characters`,
  open: 'a quoted cell has no end',
  encoding: 'the file is not UTF-8. Save it as CSV with the encoding UTF-8',
};

const endCell = (progress: Progress): void => {
  progress.cells.push(progress.cell);
  progress.cell = '';
  progress.state = 'empty';
};

const endRow = (progress: Progress): CsvRow | undefined => {
  endCell(progress);
  const { row, cells } = progress;
  progress.row += 1;
  progress.cells = [];
  return cells.every((cell) => cell === '') ? undefined : { row, cells };
};

/** Adds a character that is text of its cell, or begins or ends a quoted one. Returns what is wrong with it. */
const addText = (progress: Progress, character: string): string | undefined => {
  if (character === '"' && progress.state !== 'quoted') {
    if (progress.state === 'plain') return failures.quote;
    if (progress.state === 'closed') progress.cell += '"';
    progress.state = 'quoted';
    return undefined;
  }
  if (character === '"') {
    progress.state = 'closed';
    return undefined;
  }
  if (progress.state === 'closed') return failures.quote;
  if (progress.state === 'empty') progress.state = 'plain';
  progress.cell += character;
  return progress.cell.length > maxCell ? failures.long : undefined;
};

/** Reads a part of the text. Yields its complete rows, and ends with what is wrong. */
function* readText(progress: Progress, text: string, delimiter: string): Generator<CsvRow | CsvFailure> {
  for (const character of text) {
    const isLineFeed = character === '\n' && progress.afterReturn;
    progress.afterReturn = false;
    if (isLineFeed) continue;
    const isOpen = progress.state === 'quoted';
    if (!isOpen && character === delimiter) endCell(progress);
    else if (!isOpen && (character === '\n' || character === '\r')) {
      progress.afterReturn = character === '\r';
      const complete = endRow(progress);
      if (complete !== undefined) yield complete;
    } else {
      const failure = addText(progress, character);
      if (failure !== undefined) return yield { row: progress.row, failure };
    }
  }
}

const decode = (decoder: InstanceType<typeof TextDecoder>, bytes?: Uint8Array): string | undefined => {
  try {
    return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
  } catch {
    return undefined;
  }
};

/**
 * Reads the rows of a CSV file in UTF-8, with or without a byte order mark. Rows without text are left out. The first
 * failure ends it.
 */
export async function* readCsv(
  bytes: AsyncIterable<Uint8Array>,
  delimiter: string,
): AsyncGenerator<CsvRow | CsvFailure> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const progress: Progress = { row: 1, cells: [], cell: '', state: 'empty', afterReturn: false };
  const parts = async function* (): AsyncGenerator<string | undefined> {
    for await (const chunk of bytes) yield decode(decoder, chunk);
    yield decode(decoder);
  };
  for await (const text of parts()) {
    if (text === undefined) return yield { row: progress.row, failure: failures.encoding };
    for (const found of readText(progress, text, delimiter)) {
      yield found;
      if ('failure' in found) return;
    }
  }
  if (progress.state === 'quoted') return yield { row: progress.row, failure: failures.open };
  const last = progress.cells.length > 0 || progress.state !== 'empty' ? endRow(progress) : undefined;
  if (last !== undefined) yield last;
}
