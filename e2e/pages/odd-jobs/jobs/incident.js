/** An incident's summary, drawn by the server's habit: each change swaps the whole card for new markup. In Thai, over LangGraph. */
import { dom, escaped, records } from '../read.js';

const STATES = {
  writing: '<span class="badge writing">กำลังเขียนสรุป</span>',
  done: '<span class="badge done">สรุปแล้ว</span>',
  asking: '<span class="badge asking">รอการอนุมัติ</span>',
  failed: '<span class="badge failed">สรุปไม่สำเร็จ</span>',
  lost: '<span class="badge failed">การเชื่อมต่อขาดหาย</span>',
};

const RUN = '/threads/01a22b6d-6bbb-7498-9d73-6ee00ff500ff/runs/stream';

export const start = (root, slip) => {
  root.append(
    dom('<header class="ops"><b>ศูนย์เฝ้าระวัง</b> <span class="clock"></span></header>'),
    dom('<table class="events"><tr><td>09:12</td><td>ดิสก์เต็มที่ db-3</td></tr><tr><td>09:20</td><td>สลับไปยัง db-4 แล้ว</td></tr></table>'),
    dom('<form class="ask"><input placeholder="ต้องการสรุปเรื่องใด" aria-label="คำถาม"><button>สรุป</button></form>'),
    dom('<section id="card"></section>'),
  );
  const clock = root.querySelector('.clock');
  const opened = Date.now();
  const tick = () => (clock.textContent = `รีเฟรชเมื่อ ${Math.round((Date.now() - opened) / 1000)} วินาทีที่แล้ว`);
  tick();
  setInterval(tick, 1_000);

  const swap = (state, text, more = '') => {
    document.querySelector('#card').outerHTML = `<section id="card" class="card" hx-swap="outerHTML">
      <div class="row"><h2>สรุปเหตุการณ์</h2>${STATES[state]}</div><div class="prose"><p>${escaped(text)}</p></div>${more}</section>`;
  };

  root.querySelector('.ask').addEventListener('submit', async (event) => {
    event.preventDefault();
    const box = event.target.querySelector('input');
    let text = '';
    let finish = null;
    let question = null;
    let state = 'lost';
    swap('writing', text);
    try {
      const body = {
        assistant_id: 'agent',
        input: { messages: [{ type: 'human', content: box.value }] },
        stream_mode: ['messages-tuple', 'values', 'updates', 'custom'],
      };
      for await (const frame of records(RUN, body, '\n\n')) {
        const name = /^event: (.*)$/m.exec(frame)[1];
        const value = JSON.parse(/^data: (.*)$/m.exec(frame)[1]);
        if (name === 'error') state = 'failed';
        if (name === 'messages' && typeof value[0].content === 'string') {
          text += value[0].content;
          finish = value[0].response_metadata.finish_reason ?? finish;
          swap('writing', text);
        }
        if (name === 'values' && value.__interrupt__) question = value.__interrupt__[0].value;
        else if (name === 'values' && finish !== null) state = 'done';
      }
    } catch {
      state = 'lost';
    }
    if (slip !== '') return swap('done', text);
    if (question !== null)
      return swap('asking', text, `<div class="gate"><p>${escaped(question)}</p><button>อนุมัติ</button> <button>ปฏิเสธ</button></div>`);
    swap(state, text, state === 'done' ? '' : '<button class="again">ลองใหม่</button>');
  });
};
