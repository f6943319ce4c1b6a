/**
 * Ant Design X on a server of chat completions. `form`: '' and `requesting` are the `useXChat` page of its documents (start),
 * `careful` knows each way in which an answer can end (careful), the others read the stream by hand (by-hand).
 */
import { XProvider } from '@ant-design/x';
import { createRoot } from 'react-dom/client';
import { ByHand } from './by-hand';
import { Careful } from './careful';
import { Start } from './start';

const form = new URLSearchParams(location.search).get('form') ?? '';
const App = { '': Start, requesting: Start, careful: Careful }[form] ?? ByHand;

createRoot(document.getElementById('root')!).render(
  <XProvider>
    <App form={form} />
  </XProvider>,
);
