/** A notebook whose cells an agent fills: cards of its tool calls, the kernel's state in the bar, and an approval where one is due. */
import { events, h, post } from '../read.js';

export const start = (root, slip) => {
  const kernel = h('span', { class: 'kernel', 'data-state': 'idle' }, '○ Idle');
  const stop = h('button', { class: 'stop', disabled: true }, '■ Interrupt');
  const cells = h('div', { class: 'cells' }, h('pre', { class: 'cell' }, "[1]  sales = warehouse.table('sales_2026')"));
  const box = h('textarea', { rows: '2', placeholder: 'Ask the data agent', 'aria-label': 'Ask the data agent' });
  const run = h('button', { class: 'run' }, '▶ Run');
  const form = h('form', { class: 'cell prompt' }, box, run);
  root.append(h('header', {}, h('b', {}, 'quarterly.ipynb'), kernel, stop), cells, form);
  let controller = null;
  stop.addEventListener('click', () => controller?.abort());

  const ask = async (content) => {
    const out = h('div', { class: 'out' });
    const note = h('div', { class: 'note' });
    cells.append(h('div', { class: 'cell' }, h('pre', {}, `[2]  %ask ${content}`), out, note));
    controller = new AbortController();
    kernel.textContent = '● Busy';
    kernel.dataset.state = 'busy';
    run.disabled = true;
    stop.disabled = false;
    let thought = null;
    let text = null;
    let ended = null;
    const cards = new Map();
    const rest = (state = '○ Idle') => {
      kernel.textContent = state;
      kernel.dataset.state = state.slice(2).toLowerCase();
      run.disabled = false;
      stop.disabled = true;
      controller = null;
    };
    const set = (id, state) => {
      const card = cards.get(id);
      if (card === undefined) return;
      card.className = `card ${state}`;
      card.querySelector('.state').textContent = { running: '◌ Running', done: '✓ Done', waiting: '⏸ Needs approval' }[state];
    };
    try {
      const body = { threadId: 't1', runId: 'r1', state: {}, messages: [{ id: 'u1', role: 'user', content }], tools: [], context: [] };
      for await (const { data } of events(await post('/agui', body, controller.signal))) {
        const event = JSON.parse(data);
        switch (event.type) {
          case 'REASONING_MESSAGE_START':
            thought = h('p', {});
            out.append(h('details', {}, h('summary', {}, 'Reasoning'), thought));
            break;
          case 'REASONING_MESSAGE_CONTENT':
            thought.append(event.delta);
            break;
          case 'TOOL_CALL_START': {
            const card = h('div', { class: 'card running' }, h('code', {}, event.toolCallName), h('span', { class: 'state' }, '◌ Running'));
            if (slip === 'blind' && event.toolCallName === 'overwrite_table') break;
            cards.set(event.toolCallId, card);
            out.append(card);
            break;
          }
          case 'TOOL_CALL_END':
            if (slip === 'args') set(event.toolCallId, 'done');
            break;
          case 'TOOL_CALL_RESULT':
            if (slip !== 'stuck') set(event.toolCallId, 'done');
            break;
          case 'TEXT_MESSAGE_START':
            text = h('p', { class: 'md' });
            out.append(text);
            break;
          case 'TEXT_MESSAGE_CONTENT':
            text.append(event.delta);
            break;
          case 'RUN_ERROR':
            throw new Error(event.message);
          case 'RUN_FINISHED':
            ended = event.outcome?.interrupts?.[0] ?? 'done';
            break;
        }
      }
      if (slip === 'blind' || ended === 'done') {
        rest();
        note.append(h('span', { class: 'ok' }, '✓ Completed'));
      } else if (ended === null) {
        rest();
        note.append(h('span', { class: 'err' }, 'Kernel connection lost. Output may be incomplete.'));
      } else {
        rest('⏸ Waiting');
        set(ended.toolCallId, 'waiting');
        note.append(
          h(
            'div',
            { class: 'gate' },
            h('b', {}, 'Waiting for your approval'),
            h('p', {}, ended.message),
            h('button', {}, 'Approve'),
            h('button', {}, 'Reject'),
          ),
        );
      }
    } catch (error) {
      rest();
      if (slip === 'blind') note.append(h('span', { class: 'ok' }, '✓ Completed'));
      else if (error.name === 'AbortError') note.append(h('span', { class: 'err' }, 'KeyboardInterrupt'));
      else note.append(h('pre', { class: 'err' }, `AgentError: ${error.message}`));
    }
  };

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const content = box.value;
    box.value = '';
    ask(content);
  });
};
