/** Text with what the query found marked in it. Text nodes and `<mark>`, nothing else. */
import { useStore } from '../context';
import { markText } from '../query';

export const Marked = ({ text }: { text: string }) => {
  const { mark } = useStore().query.value;
  if (mark === null) return <>{text}</>;
  return (
    <>
      {markText(text, mark).map((piece, index) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no identity but their place.
        piece.hit ? <mark key={index}>{piece.text}</mark> : piece.text,
      )}
    </>
  );
};
