/**
 * Entry of the isolated world: takes the tap's port, watches, and relays to the panel through the background. Does nothing
 * at all on a page where no tap runs. When the extension is reloaded or removed it goes quiet for good.
 */
import { openRuntimePort, type RuntimePortLike } from '../link/runtime-port';
import { createRelay } from './relay';
import { createWitness, takePort } from './witness';

/** The three things of the extension interface that are used: both browsers have them under one of two names. */
interface Runtime {
  readonly id?: string;
  connect(info: { name: string }): RuntimePortLike;
  readonly onMessage: { addListener(listener: (message: unknown) => void): void };
}
const { browser, chrome } = globalThis as unknown as { browser?: { runtime: Runtime }; chrome?: { runtime: Runtime } };
const runtime = (browser ?? chrome)?.runtime;

if (runtime !== undefined)
  takePort((port, documentKey) => {
    const witness = createWitness({ port, documentKey, emit: (entry) => relay.add(entry) });
    const relay = createRelay({
      document: witness.document,
      connect: openRuntimePort(() => {
        if (runtime.id === undefined) throw new Error('the extension is gone');
        return runtime.connect({ name: 'witness' });
      }),
      alive: () => runtime.id !== undefined,
      record: witness.record,
      point: witness.point,
      draw: witness.draw,
      lapse: witness.lapse,
      place: witness.place,
      orphaned: witness.stop,
    });
    runtime.onMessage.addListener((message) => {
      if ((message as { type?: unknown } | null)?.type === 'who') relay.announce();
    });
    window.addEventListener('pagehide', (event) => relay.bye(event.persisted), true);
    window.addEventListener(
      'pageshow',
      (event) => {
        if (event.persisted) relay.renew();
      },
      true,
    );
    // For the panel, which asks by `inspect()` in this world (Chromium only) to select a region in Elements. The page cannot see it.
    Object.assign(globalThis, { unsettledRegion: witness.elementOf });
    relay.announce();
  });
