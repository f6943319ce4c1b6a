/** How views reach the store and the shell: by context, so that tests and a second panel can have their own. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Pictures } from './pictures';
import type { Shell } from './shell';
import type { Store } from './store';

export interface Panel {
  readonly store: Store;
  readonly shell: Shell;
  readonly pictures: Pictures;
}

export const PanelContext = createContext<Panel | null>(null);

export const usePanel = (): Panel => {
  const panel = useContext(PanelContext);
  if (panel === null) throw new Error('no panel in context');
  return panel;
};

export const useStore = (): Store => usePanel().store;
