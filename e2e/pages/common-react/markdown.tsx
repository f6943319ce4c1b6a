/** As much markdown as small pages bother with: paragraphs, lists, bold words. */
const inline = (text: string) =>
  text.split(/(\*\*[^*]+\*\*)/).map((piece, at) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces only grow at the end
    piece.startsWith('**') && piece.endsWith('**') && piece.length > 4 ? <strong key={at}>{piece.slice(2, -2)}</strong> : piece,
  );

export const Markdown = ({ text }: { text: string }) => (
  <div className="prose">
    {text.split(/\n{2,}/).map((block, at) =>
      block.startsWith('- ') ? (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks only grow at the end
        <ul key={at}>
          {block.split('\n').map((line, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines only grow at the end
            <li key={n}>{inline(line.replace(/^- ?/, ''))}</li>
          ))}
        </ul>
      ) : (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks only grow at the end
        <p key={at}>{inline(block)}</p>
      ),
    )}
  </div>
);
