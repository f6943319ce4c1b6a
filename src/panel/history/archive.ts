/**
 * Sessions kept in IndexedDB: what a capture file holds, in pieces, so that a running session costs only what is new and a
 * crash loses at most the last moments. Nothing here knows of views or of time; whoever keeps sessions says when.
 */
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import { type CaptureHeader, entryLine, headerLine } from '../../core/capture/capture';
import type { Entry } from '../../core/engine';
import type { SourceDocument } from '../../core/model';

/** A kept session, without its records. */
export interface Kept {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly updatedAt: number;
  readonly url: string;
  readonly documents: readonly SourceDocument[];
  readonly producer: CaptureHeader['producer'];
  readonly entries: number;
  readonly runs: number;
  readonly findings: number;
  /** Characters of its records, which is what it takes of the limit. */
  readonly chars: number;
  /** The limit was reached: what came later is not kept. */
  readonly cut: boolean;
}

interface Schema extends DBSchema {
  sessions: { key: string; value: Kept };
  pieces: { key: number; value: { readonly session: string; readonly text: string }; indexes: { session: string } };
}

export interface Archive {
  /** Newest first. */
  list(): Promise<readonly Kept[]>;
  /**
   * Adds records to a session (or begins it), and makes room by dropping the oldest others. Resolves to the characters the
   * session now has; null: they do not fit.
   */
  add(session: Kept, entries: readonly Entry[], limit: number): Promise<number | null>;
  /** The session as a capture file; null if it is gone. */
  read(id: string): Promise<Blob | null>;
  remove(id: string): Promise<void>;
  removeAll(): Promise<void>;
}

export const openArchive = async (name = 'unsettled-history'): Promise<Archive> => {
  const db: IDBPDatabase<Schema> = await openDB<Schema>(name, 1, {
    upgrade(fresh) {
      fresh.createObjectStore('sessions', { keyPath: 'id' });
      fresh.createObjectStore('pieces', { autoIncrement: true }).createIndex('session', 'session');
    },
    // A newer version in another window may upgrade: this one has nothing open that could be lost.
    blocking: (_now, _wanted, event) => (event.target as IDBDatabase).close(),
  });

  const remove = async (id: string): Promise<void> => {
    const change = db.transaction(['sessions', 'pieces'], 'readwrite');
    await change.objectStore('sessions').delete(id);
    for await (const piece of change.objectStore('pieces').index('session').iterate(id)) await piece.delete();
    await change.done;
  };
  const list = async (): Promise<readonly Kept[]> => (await db.getAll('sessions')).sort((a, b) => b.updatedAt - a.updatedAt);

  return {
    list,
    async add(session, entries, limit) {
      const text = entries.map(entryLine).join('');
      const chars = session.chars + text.length;
      if (chars > limit) {
        await db.put('sessions', { ...session, cut: true });
        return null;
      }
      let others = 0;
      for (const kept of await list()) {
        if (kept.id === session.id) continue;
        others += kept.chars;
        if (others + chars > limit) await remove(kept.id);
      }
      const change = db.transaction(['sessions', 'pieces'], 'readwrite');
      await Promise.all([
        change.objectStore('sessions').put({ ...session, chars }),
        change.objectStore('pieces').add({ session: session.id, text }),
        change.done,
      ]);
      return chars;
    },
    async read(id) {
      const kept = await db.get('sessions', id);
      if (kept === undefined) return null;
      const header = headerLine({
        format: 'unsettled-capture',
        version: 1,
        createdAt: new Date(kept.startedAt).toISOString(),
        producer: kept.producer,
        documents: kept.documents,
        redaction: null,
      });
      const pieces = await db.getAllFromIndex('pieces', 'session', id);
      return new Blob([header, ...pieces.map((piece) => piece.text)], { type: 'application/jsonl' });
    },
    remove,
    async removeAll() {
      const change = db.transaction(['sessions', 'pieces'], 'readwrite');
      await Promise.all([change.objectStore('sessions').clear(), change.objectStore('pieces').clear(), change.done]);
    },
  };
};
