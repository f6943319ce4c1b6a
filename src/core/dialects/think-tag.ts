/**
 * Splits a content channel that opens with a think tag into reasoning and answer. Only an opening tag at the very start
 * of a message counts, and what it marks is *voice by inference*: an answer that talks about such tags, or holds them in
 * code, is an answer (findings.md, guard 1).
 */

export interface Spoken {
  readonly voice: 'assistant' | 'reasoning';
  /** False for what the tag marks: the wire said "content". */
  readonly bySaying: boolean;
  readonly text: string;
}

export interface ThinkTag {
  push(text: string): readonly Spoken[];
  /** What is still held back: the beginning of what could have become a tag. */
  flush(): readonly Spoken[];
}

const TAGS = ['think', 'thinking', 'thought', 'reasoning'] as const;
const OPENERS = TAGS.map((tag) => `<${tag}>`);

export const createThinkTag = (): ThinkTag => {
  let held = '';
  /** undecided: nothing but white space or half a tag so far. */
  let state: 'undecided' | 'inside' | 'answer' = 'undecided';
  let closer = '';

  const speak = (voice: Spoken['voice'], bySaying: boolean, text: string): readonly Spoken[] =>
    text === '' ? [] : [{ voice, bySaying, text }];

  const inside = (text: string): readonly Spoken[] => {
    held += text;
    const cut = held.indexOf(closer);
    if (cut >= 0) {
      const thought = held.slice(0, cut);
      const rest = held.slice(cut + closer.length);
      held = '';
      state = 'answer';
      return [...speak('reasoning', false, thought), ...speak('assistant', true, rest.replace(/^\s+/u, ''))];
    }
    // Keep back what may be the beginning of the closing tag.
    let keep = 0;
    for (let n = Math.min(closer.length - 1, held.length); n > 0; n--)
      if (closer.startsWith(held.slice(-n))) {
        keep = n;
        break;
      }
    const thought = held.slice(0, held.length - keep);
    held = held.slice(held.length - keep);
    return speak('reasoning', false, thought);
  };

  return {
    push(text) {
      if (state === 'answer') return speak('assistant', true, text);
      if (state === 'inside') return inside(text);
      held += text;
      const start = held.trimStart();
      if (start === '') return [];
      const opener = OPENERS.find((one) => start.startsWith(one));
      if (opener !== undefined) {
        state = 'inside';
        closer = opener.replace('<', '</');
        held = '';
        return inside(start.slice(opener.length));
      }
      if (OPENERS.some((one) => one.startsWith(start))) return [];
      state = 'answer';
      const answer = held;
      held = '';
      return speak('assistant', true, answer);
    },
    flush() {
      const rest = held;
      held = '';
      return speak(state === 'inside' ? 'reasoning' : 'assistant', state !== 'inside', rest);
    },
  };
};
