/** Three pages without a framework; the address says which. */
import { app } from './read.js';

document.body.className = app;
const { start } = await import(`./apps/${app}.js`);
start();
