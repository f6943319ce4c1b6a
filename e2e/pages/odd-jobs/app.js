/** Opens one of the jobs, as its author left it. */
const query = new URLSearchParams(location.search);
const job = query.get('job');
document.documentElement.lang = query.get('lang');
document.body.className = job;
const { start } = await import(`./jobs/${job}.js`);
start(document.querySelector('#root'), query.get('slip') ?? '');
