/** Opens one idiom with its author's slip, if there is one. */
const query = new URLSearchParams(location.search);
const { start } = await import(`./idioms/${query.get('idiom')}.js`);
start(document.querySelector('#app'), query.get('slip') ?? '');
