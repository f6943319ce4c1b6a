// The same agent in a frame of this origin, of another origin, and in one without an address of its own.
const add = (set) => document.body.append(Object.assign(document.createElement('iframe'), set));
const other = location.origin.replace('127.0.0.1', 'localhost');
const script = `fetch('/api/agent/stream?scenario=completed&pace=5&in=srcdoc', { method: 'POST', body: '{}' }).then((r) => r.text())`;
add({ src: '/frame.html?scenario=completed&pace=5&in=same' });
add({ src: `${other}/frame.html?scenario=completed&pace=5&in=other` });
add({ srcdoc: `<p id="answer"></p><script>${script}</script>` });
