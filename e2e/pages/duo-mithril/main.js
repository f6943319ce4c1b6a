/**
 * Two agents side by side on one task, in Mithril, in Hebrew, over AG-UI. `form`: '' has a pill for each agent that says how it stands;
 * `shared` keeps one state for both; `blind` calls every end done; `echo` puts the message into the list when it is finished, and
 * forgets to take away the one that was growing.
 */
import m from 'mithril';

const form = new URLSearchParams(location.search).get('form') ?? '';

const PILLS = { idle: 'ממתין', working: 'עובד', done: 'הושלם', failed: 'נכשל', lost: 'החיבור נותק', asking: 'נדרש אישור' };

const makeAgent = (id, name) => ({ id, name, state: 'idle', muse: '', text: '', kept: [], question: '', why: '' });
const agents = [makeAgent('planner', 'המתכנן'), makeAgent('writer', 'הכותב')];
let task = '';

const setState = (agent, state) => {
  if (form === 'shared') for (const one of agents) one.state = state;
  else agent.state = state;
  m.redraw();
};

const finish = (agent, event) => {
  const [interrupt] = event?.outcome?.interrupts ?? [];
  if (form === 'blind') return setState(agent, 'done');
  if (event === null) {
    agent.why = 'החיבור לסוכן נותק לפני שסיים. אפשר להפעיל שוב.';
    return setState(agent, 'lost');
  }
  if (event.type === 'RUN_ERROR') {
    agent.why = 'הסוכן נתקל בשגיאה ולא סיים את עבודתו.';
    return setState(agent, 'failed');
  }
  if (interrupt !== undefined) {
    agent.question = interrupt.message;
    return setState(agent, 'asking');
  }
  if (form === 'echo') agent.kept.push(agent.text);
  setState(agent, 'done');
};

const run = async (agent) => {
  Object.assign(agent, makeAgent(agent.id, agent.name));
  setState(agent, 'working');
  let last = null;
  try {
    const response = await fetch('/agui', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({
        threadId: agent.id,
        runId: crypto.randomUUID(),
        messages: [{ id: 'u1', role: 'user', content: task }],
        tools: [],
        context: [],
        state: {},
        forwardedProps: {},
      }),
    });
    const reader = response.body.getReader();
    const decoder = new TextDecoder();
    let rest = '';
    for (let step = await reader.read(); !step.done; step = await reader.read()) {
      rest += decoder.decode(step.value, { stream: true });
      const frames = rest.split('\n\n');
      rest = frames.pop();
      for (const frame of frames) {
        const event = JSON.parse(frame.replace(/^data: /, ''));
        if (event.type === 'REASONING_MESSAGE_CONTENT') agent.muse += event.delta;
        else if (event.type === 'TEXT_MESSAGE_CONTENT') agent.text += event.delta;
        else if (event.type === 'RUN_FINISHED' || event.type === 'RUN_ERROR') last = event;
        m.redraw();
      }
    }
  } catch {
    last = null;
  }
  finish(agent, last);
};

const Pane = {
  view: ({ attrs: { agent } }) =>
    m('section.pane', [
      m('header', [agent.name, m(`span.pill.${agent.state}`, PILLS[agent.state])]),
      agent.muse !== '' && form !== 'blind' && m('.muse', ['מחשבות: ', agent.muse]),
      agent.kept.map((text) => m('.out', text)),
      agent.text !== '' && m('.out', agent.text),
      agent.question !== '' && m('.gate', [m('p', agent.question), m('button', 'מאשר'), m('button', 'דוחה')]),
      agent.why !== '' && m('p.why', agent.why),
    ]),
};

const App = {
  view: () => [
    m('.top', 'חדר העבודה'),
    m(
      'form.task',
      {
        onsubmit: (event) => {
          event.preventDefault();
          for (const agent of agents) run(agent);
        },
      },
      [
        m('input', { placeholder: 'מה המשימה?', value: task, oninput: ({ target }) => (task = target.value) }),
        m('button', { disabled: agents.some(({ state }) => state === 'working') }, 'הפעל'),
      ],
    ),
    m(
      '.panes',
      agents.map((agent) => m(Pane, { key: agent.id, agent })),
    ),
  ],
};

m.mount(document.body, App);
