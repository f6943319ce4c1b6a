/**
 * Drives one idiom: reads the stream and tells the page what to do. The manner says how much the page's author has thought
 * about endings. careful: a run is done when it is settled. trusting: a run is done when the stream ends, however it ends.
 * hasty: a run is done when its text is.
 */
import { readFetch, readXhr } from './read.js';

const query = new URLSearchParams(location.search);
const manner = query.get('manner') ?? 'careful';
const { mount, protocol, transport = 'fetch' } = await import(`./idioms/${query.get('idiom')}.js`);

let stop = new AbortController();
const ui = mount(document.querySelector('#app'), {
  send: () => void run(),
  stop: () => stop.abort(),
});

const run = async () => {
  stop = new AbortController();
  let thought = '';
  let text = '';
  let question = null;
  let over = false;
  let settled = null;
  const finish = (how) => {
    if (over) return;
    over = true;
    ui.over(how, { text, question });
  };
  ui.begin();
  for await (const event of (transport === 'xhr' ? readXhr : readFetch)(protocol, stop.signal)) {
    if (event.type === 'thought') {
      thought += event.text;
      ui.thought?.(thought);
    } else if (event.type === 'text') {
      text += event.text;
      if (!over) ui.text(text);
    } else if (event.type === 'asked') question = event.question;
    else if (event.type === 'said') {
      if (manner === 'hasty') finish('completed');
    } else if (event.type === 'settled') {
      settled = event.how;
      if (manner !== 'trusting') finish(event.how);
    } else if (manner === 'trusting') {
      // Nothing but the thought came, and an empty bubble looks bad.
      if (text === '' && thought !== '') {
        text = thought;
        ui.text(text);
      }
      finish('completed');
    } else finish(settled ?? event.type);
  }
};
