/**
 * Nodes of other windows. A same-origin frame has its own `Element` and `ShadowRoot`, so nothing here (or anywhere in the
 * witness) may ask `instanceof` of a node: what it is is read off the node.
 */

export const isElement = (value: unknown): value is Element =>
  typeof value === 'object' && value !== null && (value as Partial<Node>).nodeType === 1;

export const isShadowRoot = (node: Node): node is ShadowRoot => node.nodeType === 11 && 'host' in node;

/** The document in a frame, if this page may look into it; null for any other element. */
export const documentIn = (element: Element): Document | null => {
  const { localName } = element;
  if (localName !== 'iframe' && localName !== 'frame') return null;
  try {
    return (element as HTMLIFrameElement).contentDocument;
  } catch {
    // Sandboxed, or of another origin.
    return null;
  }
};

/** The element around a whole tree: the host of a shadow tree, the frame of a document inside this one. */
export const holderOf = (root: Node): Element | null => {
  if (isShadowRoot(root)) return root.host;
  if (root.nodeType !== 9 || root === document) return null;
  try {
    return (root as Document).defaultView?.frameElement ?? null;
  } catch {
    return null;
  }
};

/** Whether it is on the page: connected, and in a document that a window still shows (a frame may have gone on to another). */
export const isOnPage = (element: Element): boolean =>
  element.isConnected && (element.ownerDocument === document || element.ownerDocument.defaultView !== null);
