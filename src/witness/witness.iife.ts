/**
 * Entry of the isolated world: takes the tap's port, watches, and relays to the panel through the background. Does nothing
 * at all on a page where no tap runs. When the extension is reloaded or removed it goes quiet for good.
 */
import { openRuntimePort, type RuntimePortLike } from '../link/runtime-port';
import { mappingsIn, STORED_KEY } from '../link/stored';
import type { Decoders } from './decoders';
import { createLoad, DECODERS } from './load';
import { createRelay } from './relay';
import { createWitness, takePort } from './witness';

/** The few things of the extension interface that are used: both browsers have them under one of two names. */
interface Extension {
  readonly runtime: {
    readonly id?: string;
    connect(info: { name: string }): RuntimePortLike;
    sendMessage(message: unknown): Promise<unknown>;
    readonly onMessage: { addListener(listener: (message: unknown) => void): void };
  };
  readonly storage?: {
    readonly local: { get(key: string): Promise<Record<string, unknown>> };
    readonly onChanged: {
      addListener(listener: (changes: Record<string, { newValue?: unknown } | undefined>, area: string) => void): void;
    };
  };
}
const globals = globalThis as unknown as { browser?: Extension; chrome?: Extension; [DECODERS]?: Decoders };
const extension = globals.browser ?? globals.chrome;
const runtime = extension?.runtime;

if (runtime !== undefined)
  takePort((port, documentKey) => {
    const storage = extension?.storage;
    const witness = createWitness({
      port,
      documentKey,
      emit: (entry) => relay.add(entry),
      decoders: createLoad({
        ask: (call) => runtime.sendMessage(call),
        found: () => globals[DECODERS],
        later: setTimeout,
      }),
      mappings: async () => mappingsIn((await storage?.local.get(STORED_KEY))?.[STORED_KEY]),
    });
    storage?.onChanged.addListener((changes, area) => {
      const change = changes[STORED_KEY];
      if (area === 'local' && change !== undefined) witness.learn(mappingsIn(change.newValue));
    });
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
    window.addEventListener(
      'pagehide',
      (event) => {
        witness.leave();
        relay.bye(event.persisted);
      },
      true,
    );
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
