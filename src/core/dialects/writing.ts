/**
 * The text that is being written. Nearly all events of a long run are one more piece of the same text, and say all else that
 * the event before said: such a piece is told from that one, without reading the event anew.
 *
 * A decoder asks `more` of an event that may be such a piece, with its text, its number on the wire, and all else in it that
 * its reading depends on. Whatever it then reads itself goes through `note`; anything that is no piece of text ends the writing.
 */
import type { Utterance } from './dialect';

export interface Writing {
  /** The piece, if the event before was one of the same text; null if the event has to be read. */
  more(
    text: unknown,
    wireId: string | null,
    a: unknown,
    b?: unknown,
    c?: unknown,
    d?: unknown,
    e?: unknown,
    f?: unknown,
  ): readonly Utterance[] | null;
  /** Remembers what was said, if it was one piece of text and nothing else, asked for just before. Returns it. */
  note(said: readonly Utterance[]): readonly Utterance[];
}

/** What is said of each piece, written anew for the next one. */
type Piece = Omit<Extract<Utterance, { readonly type: 'part.delta' }>, 'text' | 'wireId'> & {
  text: string;
  wireId: string | null;
  readonly flow: string;
};

export const createWriting = (): Writing => {
  let last: readonly unknown[] = [];
  let asked = false;
  /** One utterance in one list for all pieces of a text: who reads a frame takes out what was said before the next. */
  let told: Piece | null = null;
  const piece: Utterance[] = [];
  return {
    more(text, wireId, a, b, c, d, e, f) {
      if (
        told !== null &&
        typeof text === 'string' &&
        a === last[0] &&
        b === last[1] &&
        c === last[2] &&
        d === last[3] &&
        e === last[4] &&
        f === last[5]
      ) {
        told.text = text;
        told.wireId = wireId;
        piece[0] = told;
        return piece;
      }
      last = [a, b, c, d, e, f];
      asked = typeof text === 'string';
      told = null;
      return null;
    },
    note(said) {
      if (said === piece) return said;
      const only = asked && said.length === 1 ? said[0]! : null;
      asked = false;
      told =
        only?.type === 'part.delta' && only.standing === 'provisional' && only.voice !== null && only.voiceBySaying && only.order === null
          ? {
              // Not null: no event may be made of this very object, for it goes on changing. And first, so that its hidden class is
              // not that of the events: when theirs changes, all that was compiled for this one would be compiled again.
              flow: '',
              raw: only.raw,
              voice: only.voice,
              voiceBySaying: true,
              standing: 'provisional',
              identity: only.identity,
              lane: only.lane,
              part: only.part,
              wireId: only.wireId,
              order: null,
              type: 'part.delta',
              text: only.text,
            }
          : null;
      return said;
    },
  };
};
