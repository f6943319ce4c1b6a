/**
 * chatscope's kit on a server of UI messages, read by hand. `form`: '' is the page of its tutorials, with the typing indicator
 * as long as the answer comes (start); its other forms differ in what their authors take for the end. `careful` is a page that
 * says how each answer ended (careful).
 */
import '@chatscope/chat-ui-kit-styles/dist/default/styles.min.css';
import { createRoot } from 'react-dom/client';
import { Careful } from './careful';
import { Start } from './start';

const form = new URLSearchParams(location.search).get('form') ?? '';

createRoot(document.getElementById('root')!).render(<div className="page">{form === 'careful' ? <Careful /> : <Start form={form} />}</div>);
