/** Creates the panel. Paths are absolute: Firefox resolves relative ones against this page. */
import browser from 'webextension-polyfill';

void browser.devtools.panels.create('Unsettled', '/icons/icon-32.png', '/src/panel/panel.html');
