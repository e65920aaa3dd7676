import { execFile } from 'node:child_process';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';

/*
 * Point-in-time recovery of the local engine, which has none: an online copy of its file becomes a restored table. The
 * engine stores a table as a table of SQLite with its name, and each index as `<name>::gsi::<index>`.
 */

const withDatabase = <Result>(file: string, work: (database: DatabaseSync) => Result): Result => {
  const database = new DatabaseSync(file, { timeout: 60_000 });
  try {
    return work(database);
  } finally {
    database.close();
  }
};

const copier = `
const { DatabaseSync } = require('node:sqlite');
const [file, copy] = process.argv.slice(1);
const database = new DatabaseSync(file, { timeout: 60_000 });
database.prepare('VACUUM INTO ?').run(copy);
database.close();
`;

/**
 * Copies the file of a running engine as it is between two transactions. The engine continues to write, and so do the
 * emulators of this process: the copy runs in a process of its own.
 */
export const copyOnline = async (file: string, copy: string): Promise<void> => {
  await promisify(execFile)(process.execPath, ['-e', copier, file, copy]);
};

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

type Part = { readonly type: string; readonly name: string; readonly sql: string | null };

/**
 * Turns a table of a copy into a restored one: with a new name, without stream, stream records and time to live. AWS
 * restores none of these either.
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_RestoreTableToPointInTime.html
 */
export const restoreAs = (file: string, from: string, to: string): void =>
  withDatabase(file, (database) => {
    const parts = database
      .prepare("SELECT type, name, sql FROM sqlite_master WHERE tbl_name = ? OR tbl_name LIKE ? || '::%'")
      .all(from, from)
      .map(
        ({ type, name, sql }): Part => ({
          type: String(type),
          name: String(name),
          sql: typeof sql === 'string' ? sql : null,
        }),
      );
    const renamed = (text: string): string => text.replaceAll(from, to);
    database.exec('BEGIN');
    for (const { type, name } of parts)
      if (type === 'table') database.exec(`ALTER TABLE ${quoted(name)} RENAME TO ${quoted(renamed(name))}`);
    for (const { type, name, sql } of parts) {
      if (type !== 'index' || sql === null) continue;
      database.exec(`DROP INDEX ${quoted(name)}`);
      database.exec(renamed(sql));
    }
    database.prepare('DELETE FROM _stream_records WHERE table_name = ?').run(from);
    database
      .prepare(
        `UPDATE _tables SET table_name = ?, stream_enabled = 0, stream_view_type = NULL, stream_label = NULL,
          ttl_enabled = 0, ttl_attribute = NULL WHERE table_name = ?`,
      )
      .run(to, from);
    database.exec('COMMIT');
  });

/** Turns on the stream and the time to live of a restored table. The API of the engine adds no stream to a table. */
export const turnOnStream = (file: string, table: string, now: Date): void =>
  withDatabase(file, (database) => {
    database
      .prepare(
        `UPDATE _tables SET stream_enabled = 1, stream_view_type = 'KEYS_ONLY', stream_label = ?, ttl_enabled = 1,
          ttl_attribute = 'expiresAt' WHERE table_name = ?`,
      )
      .run(now.toISOString().replace('Z', ''), table);
  });
