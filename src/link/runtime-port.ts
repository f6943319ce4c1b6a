/**
 * A runtime port as both ends of the link use it. Knows the shape of a WebExtension port and nothing of the browser: the
 * function that connects is given, so that neither this nor its tests need an extension around them.
 */

/** What a `runtime.Port` has, of which this is all that is used. */
export interface RuntimePortLike {
  postMessage(message: unknown): void;
  disconnect(): void;
  readonly onMessage: { addListener(listener: (message: unknown) => void): void };
  readonly onDisconnect: { addListener(listener: () => void): void };
}

export interface OpenPort<Message> {
  post(message: Message): void;
  disconnect(): void;
}

/**
 * Turns a function that connects into what `connectPanel` and `createRelay` ask for. Connecting throws once the extension
 * was reloaded, updated or removed ("Extension context invalidated"), and only then: that is null, for good.
 */
export const openRuntimePort =
  <Message>(connect: () => RuntimePortLike) =>
  (heard: (message: unknown) => void, lost: () => void): OpenPort<Message> | null => {
    let port: RuntimePortLike;
    try {
      port = connect();
      port.onMessage.addListener(heard);
      port.onDisconnect.addListener(lost);
    } catch {
      return null;
    }
    return {
      post: (message) => port.postMessage(message),
      disconnect: () => port.disconnect(),
    };
  };
