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
