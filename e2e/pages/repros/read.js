/** Reading streams as it should be done: the standard's event parser, and records by line. Faulty pages bring their own. */

const ask = (path, text) =>
  fetch(path + location.search, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message: text }),
  });

/** The response of a run; the address says which report is played. */
export const post = ask;
export const get = (path) => fetch(path + location.search);

export async function* chunks(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // Whoever leaves early cuts the body.
    void reader.cancel();
  }
}

/** Lines ended by CR, LF or CRLF, wherever the bytes were cut; a line without its end is no line. */
async function* lines(response) {
  let left = '';
  let first = true;
  for await (const chunk of chunks(response)) {
    left += first ? chunk.replace(/^\uFEFF/, '') : chunk;
    first = false;
    for (;;) {
      const end = /\r\n|\r(?!$)|\n/.exec(left);
      if (end === null) break;
      yield left.slice(0, end.index);
      left = left.slice(end.index + end[0].length);
    }
  }
}

/** Server-sent events: their name and their data. */
export async function* events(response) {
  let data = [];
  let name = '';
  for await (const line of lines(response)) {
    if (line === '') {
      if (data.length > 0) yield { name, data: data.join('\n') };
      data = [];
      name = '';
      continue;
    }
    const [, field, value] = /^([^:]*):? ?(.*)$/s.exec(line);
    if (field === 'data') data.push(value);
    else if (field === 'event') name = value;
  }
}

/** The JSON of each event; the sentinel ends it. */
export async function* messages(response) {
  for await (const { data } of events(response)) {
    if (data === '[DONE]') return;
    yield JSON.parse(data);
  }
}

/** A record per line; the last one needs no line end. */
export async function* records(response) {
  let left = '';
  for await (const chunk of chunks(response)) {
    left += chunk;
    const parts = left.split('\n');
    left = parts.pop();
    for (const part of parts) if (part.trim() !== '') yield JSON.parse(part);
  }
  if (left.trim() !== '') yield JSON.parse(left);
}
