/** The page's side of the suite, as text: the tools that behaviours use, and a witness that only keeps what it is sent. */

/** Runs before the tap. Takes the port as the real witness does, so that the page never sees the offer. */
export const FAKE_WITNESS = `(() => {
  // The real one is out of the page's reach. This one is not, so it takes what it needs at once, and asks the page nothing later.
  const { apply, getOwnPropertyDescriptor, setPrototypeOf } = Reflect;
  const { slice } = String.prototype;
  const { get: dataOf } = getOwnPropertyDescriptor(MessageEvent.prototype, 'data');
  const { postMessage } = MessagePort.prototype;
  const records = [];
  setPrototypeOf(records, null);
  const kept = { records, lost: 0, asked: null, askedAt: 0, flush: null, control: null };
  window.__kept = kept;
  window.addEventListener('unsettled:offer', (event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    const port = event.ports[0];
    const tell = (what, bell) => apply(postMessage, port, [{ link: 1, do: what, bell }]);
    port.onmessage = (event) => {
      const data = apply(dataOf, event, []);
      for (let i = 0; i < data.records.length; i++) {
        const record = data.records[i];
        if (record.type !== 'flow.chunks') records[records.length] = record;
        else
          for (let j = 0, from = 0; j < record.at.length; from = record.ends[j++])
            records[records.length] = {
              at: record.at[j], type: 'flow.chunk', flow: record.flow, direction: record.direction,
              text: apply(slice, record.text, [from, record.ends[j]]), encoding: record.encoding, event: null, id: null,
            };
      }
      kept.lost = data.lost;
      // Batches that were on their way before it was asked for do not answer.
      if (kept.asked && data.upTo >= kept.askedAt) { kept.asked(); kept.asked = null; }
    };
    const bell = 'bell' + Math.random();
    tell('go', bell);
    kept.flush = async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      kept.askedAt = performance.now();
      await new Promise((resolve) => { kept.asked = resolve; tell('flush', null); });
    };
    kept.control = (what) => tell(what, what === 'go' ? bell : null);
  }, { capture: true, once: true });
})();`;

/** The tools, for one run. */
export const tools = (key: string, otherOrigin: string): string => `(() => {
  const decoder = new TextDecoder();
  const address = (origin, path, query) => origin + path + '?' + new URLSearchParams({ k: ${JSON.stringify(key)}, ...query });
  const error = (e) => {
    if (e instanceof DOMException) return { dom: e.name, message: e.message, code: e.code };
    if (e instanceof Error) return { error: e.name, message: e.message, constructor: e.constructor === globalThis[e.name] };
    return { thrown: typeof e, text: String(e) };
  };
  const outcome = async (work) => {
    try { return { value: await work() }; } catch (e) { return { failed: error(e) }; }
  };
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const until = async (condition) => {
    for (let i = 0; i < 1500; i++) {
      if (await condition()) return;
      await pause(10);
    }
    throw new Error('still not so: ' + condition);
  };
  return {
    url: (path, query) => address(location.origin, path, query),
    otherUrl: (path, query) => address(${JSON.stringify(otherOrigin)}, path, query),
    outcome,
    outcomeNow: (work) => { try { return { value: work() }; } catch (e) { return { failed: error(e) }; } },
    error,
    settled: (promise) => Promise.race([outcome(() => promise), pause(120).then(() => 'pending')]),
    async read(stream) {
      const reader = stream.getReader();
      const stream_ = new TextDecoder();
      let text = '';
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return text + stream_.decode();
        text += stream_.decode(value, { stream: true });
      }
    },
    text: (bytes) => decoder.decode(bytes),
    until,
    event: (target, type) => new Promise((resolve) => target.addEventListener(type, resolve, { once: true })),
    server: async () => JSON.parse(await (await fetch(address(location.origin, '/state', {}))).text()),
    shape(owner, name) {
      const d = Object.getOwnPropertyDescriptor(owner, name);
      if (!d) return null;
      const f = d.value ?? d.get;
      return {
        writable: d.writable, enumerable: d.enumerable, configurable: d.configurable,
        accessor: [typeof d.get, typeof d.set], type: typeof f, name: f?.name, length: f?.length,
        native: typeof f === 'function' && /\\{\\s*\\[native code\\]\\s*\\}\\s*$/.test(Function.prototype.toString.call(f)),
        own: typeof f === 'function' ? Reflect.ownKeys(f).map(String).sort() : null,
      };
    },
    pause,
  };
})()`;
