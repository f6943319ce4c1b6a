/**
 * Which port may say what to whom. A port's role is decided once, when it connects, by who the browser says it is: a content
 * script speaks for its own tab and can only deliver; a page of this extension asks for the tab in its name. Holds nothing
 * but the ports that are open, so it may die at any time: both ends connect again and go on by number.
 */
import {
  LINK_VERSION,
  type NoPicture,
  type PanelMessage,
  pageMessageSchema,
  panelMessageSchema,
  type RouterMessage,
  read,
} from '../link/messages';
import type { RuntimePortLike } from '../link/runtime-port';

export interface Sender {
  readonly url?: string | undefined;
  readonly tab?: { readonly id?: number | undefined } | undefined;
}

export interface JoinedPort extends RuntimePortLike {
  readonly name: string;
  readonly sender?: Sender | undefined;
}

export type Role = { readonly role: 'witness' | 'panel'; readonly tab: number };

/** Null: not one of ours, to be turned away. `home`: the extension's own origin, with a slash at its end. */
export const roleOf = (port: Pick<JoinedPort, 'name' | 'sender'>, home: string): Role | null => {
  const ours = port.sender?.url?.startsWith(home) === true;
  if (port.name === 'witness') {
    const tab = port.sender?.tab?.id;
    return ours || tab === undefined ? null : { role: 'witness', tab };
  }
  const named = /^panel:(\d{1,10})$/u.exec(port.name);
  return ours && named !== null ? { role: 'panel', tab: Number(named[1]) } : null;
};

export const WHO: PanelMessage = { link: LINK_VERSION, type: 'who', document: null };

/** What a tab is told when nobody looks at it any more. */
const UNDRAW: PanelMessage = { link: LINK_VERSION, type: 'draw', document: null, marks: null };

/** What came of trying to picture a tab. */
export type Picture = { readonly image: string; readonly why: null } | { readonly image: null; readonly why: NoPicture };

export interface JoinOptions {
  readonly home: string;
  /** Asks the witnesses of a tab that hold no port at present to connect. */
  readonly wake: (tab: number) => void;
  /** A picture of what the tab shows. Never rejects. */
  readonly picture: (tab: number) => Promise<Picture>;
}

/** What to do with each port that connects. */
export const createJoin = ({ home, wake, picture }: JoinOptions): ((port: JoinedPort) => void) => {
  const witnesses = new Map<number, Set<JoinedPort>>();
  const panels = new Map<number, Set<JoinedPort>>();

  const put = (ports: Map<number, Set<JoinedPort>>, tab: number, port: JoinedPort): void => {
    const set = ports.get(tab);
    if (set) set.add(port);
    else ports.set(tab, new Set([port]));
    port.onDisconnect.addListener(() => {
      remove(ports, tab, port);
      // Its document may be alive (a port can die alone); a page that went away does not answer.
      if (ports === witnesses && panels.has(tab)) wake(tab);
      if (ports === panels && !panels.has(tab)) send(witnesses, tab, UNDRAW);
    });
  };
  const remove = (ports: Map<number, Set<JoinedPort>>, tab: number, port: JoinedPort): void => {
    const set = ports.get(tab);
    set?.delete(port);
    if (set?.size === 0) ports.delete(tab);
  };
  const send = (ports: Map<number, Set<JoinedPort>>, tab: number, message: unknown): void => {
    for (const port of [...(ports.get(tab) ?? [])]) {
      try {
        port.postMessage(message);
      } catch {
        // Closed, and its disconnect not yet delivered.
        remove(ports, tab, port);
      }
    }
  };

  const answer = async (port: JoinedPort, tab: number, request: number): Promise<void> => {
    const message: RouterMessage = { link: LINK_VERSION, type: 'picture', request, ...(await picture(tab)) };
    try {
      port.postMessage(message);
    } catch {
      // The panel went away meanwhile.
    }
  };

  return (port) => {
    const who = roleOf(port, home);
    if (who === null) {
      port.disconnect();
      return;
    }
    const { tab } = who;
    if (who.role === 'witness') {
      put(witnesses, tab, port);
      port.onMessage.addListener((message) => {
        if (read(pageMessageSchema, message) !== null) send(panels, tab, message);
      });
      return;
    }
    put(panels, tab, port);
    port.onMessage.addListener((value) => {
      const message = read(panelMessageSchema, value);
      if (message === null) return;
      if (message.type === 'picture') void answer(port, tab, message.request);
      else send(witnesses, tab, value);
    });
    send(witnesses, tab, WHO);
    wake(tab);
  };
};
