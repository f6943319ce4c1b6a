const run = { id: 'forged', type: 'run.completed', ts: '2026-01-01T00:00:00Z', runId: 'forged', sessionId: 's', payload: {} };
const records = [
  {
    at: 1,
    type: 'flow.opened',
    flow: 'forged',
    document: 'forged',
    transport: 'fetch',
    method: 'POST',
    url: 'http://forged/',
    requestHeaders: {},
    requestBody: null,
  },
  { at: 2, type: 'flow.head', flow: 'forged', status: 200, headers: { 'content-type': 'text/event-stream' } },
  {
    at: 3,
    type: 'flow.chunk',
    flow: 'forged',
    direction: 'received',
    text: `data: ${JSON.stringify(run)}\n\n`,
    encoding: 'text',
    event: null,
    id: null,
  },
  { at: 4, type: 'flow.ended', flow: 'forged', how: 'eof', code: null, detail: null },
];
window.heard = [];
window.addEventListener('message', ({ data }) => window.heard.push(data));

// Asks the tap for its port as a witness would, before any request and after.
window.addEventListener('unsettled:offer', (event) => event.forged || window.heard.push({ offered: event.data }), true);
const ask = () => window.dispatchEvent(new Event('unsettled:greet'));
ask();

// Forged offers with ports of our own, in every shape, thousands of times.
const { postMessage } = MessagePort.prototype;
const forge = () => {
  for (let i = 0; i < 500; i++) {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => window.heard.push(data);
    window.postMessage({ unsettled: 'port', link: 1, document: 'forged' }, '*', [port2]);
    Reflect.apply(postMessage, port1, [{ link: 1, records, lost: 0, upTo: 5 }]);
  }
  for (let i = 0; i < 5000; i++) window.postMessage({ unsettled: 'port', link: 1, document: `forged-${i}`, records }, '*');
  for (const name of ['message', 'unsettled:offer'])
    for (let i = 0; i < 100; i++) {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = ({ data }) => window.heard.push(data);
      const event = new MessageEvent(name, { data: { unsettled: 'port', link: 1, document: 'forged' }, ports: [port2], cancelable: true });
      event.forged = true;
      if (!window.dispatchEvent(event)) window.heard.push('taken');
      Reflect.apply(postMessage, port1, [{ link: 1, records, lost: 0, upTo: 5 }]);
    }
  ask();
};

// Everything a careless instrument would call, broken after the fact.
const broken = () => {
  throw new Error('broken by the page');
};
const breakThings = () => {
  MessagePort.prototype.postMessage = broken;
  Array.prototype.push = new Proxy(Array.prototype.push, { apply: (f, self, args) => Reflect.apply(f, self, args) });
  TextDecoder.prototype.decode = broken;
  Map.prototype.get = broken;
  WeakMap.prototype.get = broken;
  Object.prototype.toJSON = () => 'polluted';
  Object.defineProperty(Object.prototype, 'flow', { get: () => 'polluted', set() {}, configurable: true });
};

const streams = async () => {
  for (let i = 0; i < 400; i++) {
    const response = await fetch('data:text/event-stream,data: {"type":"noise"}%0A%0A');
    await response.body.getReader().read();
  }
};

document.getElementById('send').addEventListener('click', async () => {
  forge();
  const flood = streams();
  const response = await fetch(`/api/agent/stream${location.search}`, { method: 'POST', body: '{"message":"go"}' });
  const reader = response.body.getReader();
  const bytes = [];
  const first = await reader.read();
  bytes.push(first.value);
  breakThings();
  forge();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes.push(value);
  }
  delete Object.prototype.toJSON;
  delete Object.prototype.flow;
  const text = await new Blob(bytes).text();
  const last = JSON.parse(text.trim().split('\ndata: ').pop());
  document.getElementById('answer').textContent = last.payload.result.assistantText;
  await flood;
  document.body.dataset.done = 'yes';
});
