/** Text with what the query found marked in it. Text nodes and `<mark>`, nothing else. */
import { useStore } from '../context';
import { markText } from '../query';
import type { Store } from '../store';

/** Not as a component, which costs as much as what it draws: for the table. */
export const marked = ({ query }: Store, text: string): preact.ComponentChildren => {
  const { mark } = query.value;
  if (mark === null) return text;
  return markText(text, mark).map((piece, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no identity but their place.
    piece.hit ? <mark key={index}>{piece.text}</mark> : piece.text,
  );
};

export const Marked = ({ text }: { text: string }) => <>{marked(useStore(), text)}</>;
