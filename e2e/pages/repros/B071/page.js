/** https://github.com/cloudflare/agents-starter/issues/115: an answer that was stopped comes back whole. */

const play = (ui, text, takesList) => {
  const reply = ui.reply();
  const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/agents/chat/room-1${location.search}`);
  const message = { id: 'u1', role: 'user', parts: [{ type: 'text', text }] };
  let stopped = false;
  socket.addEventListener('open', () =>
    socket.send(
      JSON.stringify({
        type: 'cf_agent_use_chat_request',
        id: 'req-1',
        init: { method: 'POST', body: JSON.stringify({ messages: [message] }) },
      }),
    ),
  );
  ui.onStop(() => {
    stopped = true;
    socket.send(JSON.stringify({ type: 'cf_agent_chat_request_cancel', id: 'req-1' }));
    reply.is('stopped');
  });
  socket.addEventListener('message', ({ data }) => {
    const frame = JSON.parse(data);
    if (frame.type === 'cf_agent_use_chat_response' && !stopped) {
      const chunk = frame.body === '' ? {} : JSON.parse(frame.body);
      if (chunk.type === 'text-delta') reply.add(chunk.delta);
      if (frame.done) reply.is('done');
    } else if (frame.type === 'cf_agent_chat_messages' && takesList) {
      const last = frame.messages.at(-1);
      reply.text(last.parts.map((part) => part.text).join(''));
      reply.is('done');
    }
  });
};

export const faulty = (ui, text) => play(ui, text, true);
/** Keeps what was stopped as it is; and its server does stop. */
export const good = (ui, text) => play(ui, text, false);
