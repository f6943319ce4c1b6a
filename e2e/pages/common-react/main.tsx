/** Five chat pages in React, each as a different team writes it. */
import { createRoot } from 'react-dom/client';
import { app } from '../common-plain/read.js';
import { Bubble } from './bubble';
import { Gpt } from './gpt';
import { Sidebar } from './sidebar';
import { Smooth } from './smooth';
import './styles.css';
import { Tools } from './tools';

const PAGES: Readonly<Record<string, () => React.JSX.Element>> = {
  gpt: Gpt,
  bubble: Bubble,
  sidebar: Sidebar,
  smooth: Smooth,
  tools: Tools,
};
const Page = PAGES[app]!;

document.documentElement.dataset.app = app;
createRoot(document.querySelector('#root')!).render(<Page />);
