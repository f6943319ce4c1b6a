/**
 * Outlines one region on the page. The only thing that is ever added to the page: one element with one closed shadow tree,
 * there only while something is outlined, and nothing of it can be clicked or read.
 */

export interface Overlay {
  /** Null: nothing. */
  show(element: Element | null): void;
  /** The overlay's own element, so that it is not taken for a part of the page. */
  is(element: Element): boolean;
}

export const createOverlay = (): Overlay => {
  let host: HTMLElement | null = null;
  let box: HTMLElement | null = null;
  let target: Element | null = null;
  let frame = 0;

  const follow = (): void => {
    frame = 0;
    if (target === null || box === null) return;
    if (!target.isConnected) {
      hide();
      return;
    }
    const { left, top, width, height } = target.getBoundingClientRect();
    box.style.transform = `translate(${left - 3}px, ${top - 3}px)`;
    box.style.width = `${width + 6}px`;
    box.style.height = `${height + 6}px`;
    frame = requestAnimationFrame(follow);
  };

  const hide = (): void => {
    target = null;
    if (frame !== 0) cancelAnimationFrame(frame);
    frame = 0;
    host?.remove();
    host = null;
    box = null;
  };

  return {
    show(element) {
      hide();
      if (element === null) return;
      target = element;
      host = document.createElement('unsettled-overlay');
      host.setAttribute('aria-hidden', 'true');
      // Set through the object model: a page's policy on inline styles does not reach it.
      Object.assign(host.style, { position: 'fixed', inset: '0', zIndex: '2147483647', pointerEvents: 'none', contain: 'strict' });
      box = document.createElement('div');
      Object.assign(box.style, {
        position: 'absolute',
        top: '0',
        left: '0',
        boxSizing: 'border-box',
        border: '2px solid Highlight',
        borderRadius: '3px',
        boxShadow: '0 0 0 2px Canvas',
      });
      host.attachShadow({ mode: 'closed' }).append(box);
      document.documentElement.append(host);
      element.scrollIntoView({ block: 'nearest' });
      follow();
    },
    is: (element) => element === host || element.localName === 'unsettled-overlay',
  };
};
