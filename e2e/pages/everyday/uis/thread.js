/** A bot in a team's channel: it posts one message in the thread and edits it until the run is over. */
import { events, h, post } from '../read.js';

const line = (who, avatar, ...body) =>
  h('div', { class: 'post' }, h('span', { class: `av ${avatar}` }, who[0]), h('div', {}, h('b', {}, who), h('time', {}, '10:42'), ...body));

export const start = (root, slip) => {
  const replies = h('div', { class: 'replies' });
  const box = h('div', { class: 'ql', contenteditable: 'true', role: 'textbox', 'aria-label': 'Reply to thread' });
  const form = h('div', { class: 'box' }, box, h('button', { 'aria-label': 'Send now', onclick: () => submit() }, '➤'));
  root.append(
    h('nav', {}, h('b', {}, 'Northwind'), ...['# general', '# deploys', '# incidents', 'Mara', 'Tomás'].map((name) => h('span', {}, name))),
    h(
      'main',
      {},
      h('h2', {}, '# deploys'),
      line('Mara', 'a', h('p', {}, 'payments is going out at 09:30, please keep an eye on the canaries')),
      h('hr'),
      replies,
      form,
    ),
  );

  const ask = async (message) => {
    replies.append(line('You', 'b', h('p', {}, message)));
    const text = h('p', { class: 'bot-text' }, h('i', {}, 'Looking into it'));
    const chip = h('span', { class: 'chip' }, '⏳ running');
    const tail = h('div', { class: 'tail' });
    replies.append(line('Deploybot', 'c', h('span', { class: 'app' }, 'APP'), chip, text, tail));
    const edited = () => {
      chip.remove();
      if (text.querySelector('.edited') === null) text.append(h('small', { class: 'edited' }, ' (edited)'));
      tail.replaceChildren(h('span', { class: 'react' }, '✅ 1'));
    };
    const say = (words) => text.replaceChildren(words);
    let settled = false;
    let lost = false;
    let last = '';
    try {
      const answer = await post('/api/agent/stream', { sessionId: 'sess-1', message });
      for await (const { data } of events(answer)) {
        const { type, payload } = JSON.parse(data);
        if (type === 'run.agent_progress') {
          last = payload.update.message;
          text.replaceChildren(h('i', {}, last));
        } else if (type === 'run.tool.completed' && payload.update.toolName === 'FinalizeAnswer' && slip === 'draft') {
          say(payload.update.output.message);
          edited();
        } else if (type === 'run.completed') {
          settled = true;
          const { assistantText, output } = payload.result;
          say(assistantText);
          if (output.status !== 'WAITING' || slip === 'blind') edited();
          else {
            chip.textContent = '👋 needs your reply';
            tail.replaceChildren(h('button', { class: 'slackbtn' }, 'Reply'), h('button', { class: 'slackbtn' }, 'Dismiss'));
          }
        } else if (type === 'run.failed' && slip !== 'draft') {
          settled = true;
          say(`❌ The run failed: ${payload.error.message}`);
          chip.remove();
        }
      }
    } catch {
      lost = true;
    }
    if (settled || slip === 'draft') return;
    if (slip === 'last') {
      say(last);
      edited();
      return;
    }
    chip.textContent = '🔌 disconnected';
    tail.replaceChildren(
      h('span', {}, lost ? 'I lost the runner. ' : 'The stream ended early. ', 'The run may still be going. '),
      h('button', { class: 'slackbtn' }, 'Check status'),
    );
  };

  const submit = () => {
    const message = box.textContent;
    box.textContent = '';
    ask(message);
  };
  box.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    submit();
  });
};
