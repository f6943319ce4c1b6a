/** Opens one of the pages, in the state its team shipped it in. */
const query = new URLSearchParams(location.search);
const ui = query.get('ui');
document.documentElement.lang = query.get('lang') ?? 'en';
document.body.className = ui;
const { start } = await import(`./uis/${ui}.js`);
start(document.querySelector('#root'), query.get('slip') ?? '');
