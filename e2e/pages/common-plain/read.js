/** Server-sent events by hand, as every one of these pages reads them. */
export async function* events(url, body, signal) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify(body),
    signal,
  });
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let buffer = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    buffer += decoder.decode(value, { stream: true });
    const frames = buffer.split(/\r?\n\r?\n/);
    buffer = frames.pop();
    for (const frame of frames) {
      const lines = frame.split(/\r?\n/);
      const name =
        lines
          .find((line) => line.startsWith('event:'))
          ?.slice(6)
          .trim() ?? '';
      const text = lines
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5).trim())
        .join('\n');
      if (text !== '') yield { name, data: text === '[DONE]' ? text : JSON.parse(text) };
    }
  }
}

export const query = new URLSearchParams(location.search);
export const app = query.get('app') ?? '';
/** What the author of this page got wrong; nothing, if the page is honest. */
export const slip = query.get('slip') ?? '';
