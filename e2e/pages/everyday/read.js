/** What most teams have in a util folder: a POST, and its answer as server-sent events or lines of JSON. */
export const post = (path, body, signal) =>
  fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body), signal });

async function* texts(response) {
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** The data of each event, as text, and the event's name. */
export async function* events(response) {
  let left = '';
  for await (const text of texts(response)) {
    left += text.replaceAll('\r\n', '\n');
    for (let end = left.indexOf('\n\n'); end >= 0; end = left.indexOf('\n\n')) {
      const frame = left.slice(0, end);
      left = left.slice(end + 2);
      const data = frame.split('\n').filter((line) => line.startsWith('data:'));
      const name = /^event: ?(.*)$/m.exec(frame)?.[1] ?? 'message';
      if (data.length > 0) yield { name, data: data.map((line) => line.slice(5).trimStart()).join('\n') };
    }
  }
}

export async function* lines(response) {
  let left = '';
  for await (const text of texts(response)) {
    left += text;
    for (let end = left.indexOf('\n'); end >= 0; end = left.indexOf('\n')) {
      const line = left.slice(0, end).trim();
      left = left.slice(end + 1);
      if (line !== '') yield JSON.parse(line);
    }
  }
}

/** An element; a child is an element or a text. */
export const h = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
};
