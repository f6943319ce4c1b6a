/** Loads the page of one report, `?report=B001`, in its faulty form or, with `&good`, in the form that does it right. */
import { chat } from './chat.js';

const query = new URLSearchParams(location.search);
const report = /^B\d{3}$/.exec(query.get('report') ?? '')?.[0];
const { faulty, good } = await import(`./${report}/page.js`);
const ui = chat();
ui.onSend((text) => (query.has('good') ? good : faulty)(ui, text));
