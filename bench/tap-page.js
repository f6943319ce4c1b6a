/* The page of the tap's bench: reads an event stream as a chat page does, and says how long that took it. */

/** Shows the text so far, once per frame. */
const openScreen = () => {
  const shown = document.createElement('p');
  document.body.replaceChildren(shown);
  let text = '';
  let drawn = true;
  const paint = () => {
    drawn = true;
    shown.textContent = text.slice(-2000);
  };
  return {
    events: 0,
    add(delta) {
      text += delta;
      this.events++;
    },
    draw() {
      if (!drawn) return;
      drawn = false;
      requestAnimationFrame(paint);
    },
  };
};

/** Reads the whole stream: decodes, splits into events, parses each, and shows the text once per frame. */
window.readStream = async (url) => {
  const screen = openScreen();
  const reader = (await fetch(url)).body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  let reads = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    reads++;
    rest += decoder.decode(value, { stream: true });
    const parts = rest.split('\n\n');
    rest = parts.pop();
    for (const part of parts) {
      const event = JSON.parse(part.slice(6));
      screen.add(event.delta);
    }
    screen.draw();
  }
  return { reads, events: screen.events };
};

/** Reads messages off a socket until it closes. */
window.readSocket = (url) =>
  new Promise((resolve) => {
    const screen = openScreen();
    const socket = new WebSocket(url);
    socket.onmessage = ({ data }) => {
      screen.add(JSON.parse(data).delta);
      screen.draw();
    };
    socket.onclose = () => resolve({ reads: screen.events, events: screen.events });
  });

/** Reads so many messages off an event source, and closes it. */
window.readSource = (url, total) =>
  new Promise((resolve) => {
    const screen = openScreen();
    const source = new EventSource(url);
    source.onmessage = ({ data }) => {
      screen.add(JSON.parse(data).delta);
      screen.draw();
      if (screen.events < total) return;
      source.close();
      resolve({ reads: screen.events, events: screen.events });
    };
  });

/** Reads the text of a request as it grows. */
window.readRequest = (url) =>
  new Promise((resolve) => {
    const screen = openScreen();
    const request = new XMLHttpRequest();
    let seen = 0;
    let reads = 0;
    const read = () => {
      const { responseText } = request;
      reads++;
      for (let end; ; seen = end + 2) {
        end = responseText.indexOf('\n\n', seen);
        if (end < 0) break;
        screen.add(JSON.parse(responseText.slice(seen + 6, end)).delta);
      }
      screen.draw();
    };
    request.onprogress = read;
    request.onload = () => {
      read();
      resolve({ reads, events: screen.events });
    };
    request.open('GET', url);
    request.send();
  });
