/** A POST, and its answer in records that end with `end`, until the body does. */
export async function* records(path, body, end, headers = {}) {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let left = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (left + value).split(end);
    left = parts.pop();
    for (const part of parts) if (part.trim() !== '') yield part;
  }
}

/** The first element of some markup. */
export const dom = (html) => {
  const template = document.createElement('template');
  template.innerHTML = html.trim();
  return template.content.firstElementChild;
};

export const escaped = (text) => text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]);
