/* The page of the tap's bench: reads an event stream as a chat page does, and says how long that took it. */

/** Reads the whole stream: decodes, splits into events, parses each, and shows the text once per frame. */
window.readStream = async (url) => {
  const shown = document.createElement('p');
  document.body.replaceChildren(shown);
  const reader = (await fetch(url)).body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  let text = '';
  let reads = 0;
  let events = 0;
  let drawn = true;
  const draw = () => {
    drawn = true;
    shown.textContent = text.slice(-2000);
  };
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    reads++;
    rest += decoder.decode(value, { stream: true });
    const parts = rest.split('\n\n');
    rest = parts.pop();
    for (const part of parts) {
      const event = JSON.parse(part.slice(6));
      text += event.delta;
      events++;
    }
    if (drawn) {
      drawn = false;
      requestAnimationFrame(draw);
    }
  }
  return { reads, events };
};

/** Reads messages off a socket until it closes. */
window.readSocket = (url) =>
  new Promise((resolve) => {
    const shown = document.createElement('p');
    document.body.replaceChildren(shown);
    const socket = new WebSocket(url);
    let text = '';
    let events = 0;
    let drawn = true;
    const draw = () => {
      drawn = true;
      shown.textContent = text.slice(-2000);
    };
    socket.onmessage = ({ data }) => {
      text += JSON.parse(data).delta;
      events++;
      if (drawn) {
        drawn = false;
        requestAnimationFrame(draw);
      }
    };
    socket.onclose = () => resolve({ reads: events, events });
  });

/** Reads so many messages off an event source, and closes it. */
window.readSource = (url, total) =>
  new Promise((resolve) => {
    const shown = document.createElement('p');
    document.body.replaceChildren(shown);
    const source = new EventSource(url);
    let text = '';
    let events = 0;
    let drawn = true;
    const draw = () => {
      drawn = true;
      shown.textContent = text.slice(-2000);
    };
    source.onmessage = ({ data }) => {
      text += JSON.parse(data).delta;
      events++;
      if (drawn) {
        drawn = false;
        requestAnimationFrame(draw);
      }
      if (events < total) return;
      source.close();
      resolve({ reads: events, events });
    };
  });

/** Reads the text of a request as it grows. */
window.readRequest = (url) =>
  new Promise((resolve) => {
    const shown = document.createElement('p');
    document.body.replaceChildren(shown);
    const request = new XMLHttpRequest();
    let seen = 0;
    let text = '';
    let reads = 0;
    let events = 0;
    let drawn = true;
    const draw = () => {
      drawn = true;
      shown.textContent = text.slice(-2000);
    };
    const read = () => {
      const { responseText } = request;
      reads++;
      for (let end; ; seen = end + 2) {
        end = responseText.indexOf('\n\n', seen);
        if (end < 0) break;
        text += JSON.parse(responseText.slice(seen + 6, end)).delta;
        events++;
      }
      if (drawn) {
        drawn = false;
        requestAnimationFrame(draw);
      }
    };
    request.onprogress = read;
    request.onload = () => {
      read();
      resolve({ reads, events });
    };
    request.open('GET', url);
    request.send();
  });
