/**
 * A shop's page with a support widget: a host with a shadow root, in it a frame of the shop's own, in that the chat. In German,
 * over Dify's chatflow. Slips: `hush` catches what goes wrong and says nothing; `form` does not know that a flow can pause.
 */
import { events, slip } from '../read.js';

const STYLE = `
  body { margin: 0; font: 14px/1.45 sans-serif; display: flex; flex-direction: column; height: 100vh; background: #fff }
  .head { background: #b5121b; color: #fff; padding: 10px 14px }
  .log { flex: 1; overflow: auto; padding: 10px }
  .b { max-width: 85%; padding: 7px 11px; border-radius: 12px; background: #f0f0f0; margin: 6px 0; width: fit-content }
  .b.me { background: #b5121b; color: #fff; margin-left: auto }
  .sys { text-align: center; color: #777; font-size: 12px; margin: 6px }
  .typing i { display: inline-block; width: 6px; height: 6px; margin: 0 2px; border-radius: 50%; background: #999; animation: hop 1s infinite }
  .typing i:nth-child(2) { animation-delay: .15s } .typing i:nth-child(3) { animation-delay: .3s }
  @keyframes hop { 50% { transform: translateY(-4px) } }
  form { display: flex; border-top: 1px solid #ddd } input { flex: 1; border: 0; padding: 12px; font: inherit } form button { border: 0; background: none; padding: 0 14px }
`;

const chat = (page) => {
  page.head.append(Object.assign(page.createElement('style'), { textContent: STYLE }));
  page.body.innerHTML = `
    <div class="head">Kundenservice</div>
    <div class="log" role="log"><div class="b">Guten Tag! Wie kann ich helfen?</div></div>
    <form><input placeholder="Nachricht schreiben"><button aria-label="Senden">➤</button></form>`;
  const log = page.querySelector('.log');
  const add = (kind, text) => {
    const node = Object.assign(page.createElement('div'), { className: kind, textContent: text });
    log.append(node);
    log.scrollTop = log.scrollHeight;
    return node;
  };
  const form = page.querySelector('form');
  const input = page.querySelector('input');
  const button = page.querySelector('form button');

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const query = input.value;
    if (query === '' || button.disabled) return;
    add('b me', query);
    input.value = '';
    button.disabled = true;
    const typing = add('b typing', '');
    typing.innerHTML = '<i></i><i></i><i></i>';
    let bubble = null;
    let ended = false;
    try {
      for await (const { data } of events('/v1/chat-messages', { query, response_mode: 'streaming', user: 'web', inputs: {} })) {
        if (data.event === 'message') {
          bubble ??= add('b', '');
          log.append(typing);
          bubble.textContent += data.answer;
          log.scrollTop = log.scrollHeight;
        }
        if (data.event === 'message_end') ended = true;
        if (data.event === 'workflow_finished' && data.data.status === 'failed') throw new Error(data.data.error);
        if (data.event === 'human_input_required' && slip !== 'form') {
          const card = add('b', data.data.form_content);
          for (const { title } of data.data.actions) {
            const one = card.appendChild(Object.assign(page.createElement('button'), { textContent: title }));
            one.addEventListener('click', () => card.remove());
          }
        }
        if (data.event === 'workflow_paused') ended = true;
      }
      if (!ended && slip !== 'hush') add('sys', 'Die Verbindung wurde unterbrochen. Die Antwort ist unvollständig.');
    } catch {
      if (slip !== 'hush') add('sys', 'Leider ist ein Fehler aufgetreten. Bitte versuchen Sie es später noch einmal.');
    }
    typing.remove();
    button.disabled = false;
  });
};

export const start = () => {
  document.documentElement.lang = 'de';
  document.body.innerHTML =
    '<h1>Möbelhaus Brandt</h1><p>Regale, Tische und Stühle aus Eiche, in drei Wochen bei Ihnen.</p><div id="support-root"></div>';
  const shadow = document.getElementById('support-root').attachShadow({ mode: 'open' });
  shadow.innerHTML =
    '<style>iframe { position: fixed; right: 20px; bottom: 20px; width: 380px; height: 560px; border: 0; border-radius: 14px; box-shadow: 0 6px 30px #0004 }</style><iframe title="Kundenservice"></iframe>';
  chat(shadow.querySelector('iframe').contentDocument);
};
