/**
 * Entry of the isolated world: takes the tap's port, watches, and relays to the panel through the background. Does nothing
 * at all on a page where no tap runs. When the extension is reloaded or removed it goes quiet for good.
 */

import { countSchema } from '../link/calls';
import { read } from '../link/messages';
import { openRuntimePort, type RuntimePortLike } from '../link/runtime-port';
import { mappingsIn, mutedIn, STORED_KEY } from '../link/stored';
import { createBadge } from './badge';
import { createLoad, DECODERS, type Loaded } from './load';
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
const globals = globalThis as unknown as { browser?: Extension; chrome?: Extension; [DECODERS]?: Loaded };
const extension = globals.browser ?? globals.chrome;
const runtime = extension?.runtime;

if (runtime !== undefined)
  takePort((port, documentKey) => {
    const storage = extension?.storage;
    const stored = async (): Promise<unknown> => (await storage?.local.get(STORED_KEY))?.[STORED_KEY];
    const witness = createWitness({
      port,
      documentKey,
      emit: (entry) => {
        relay.add(entry);
        badge.add(entry);
      },
      decoders: createLoad({
        ask: (call) => runtime.sendMessage(call),
        found: () => globals[DECODERS],
        later: setTimeout,
      }),
      mappings: async () => mappingsIn(await stored()),
    });
    const badge = createBadge({
      document: witness.document,
      origin: location.origin,
      now: () => performance.now(),
      idle: (work) => requestIdleCallback((deadline) => work(Math.max(1, Math.min(4, deadline.timeRemaining() - 2))), { timeout: 2_000 }),
      say: async (call) => {
        try {
          await runtime.sendMessage(call);
        } catch {
          // The background died over it, or the extension is gone; the next count says it again.
        }
      },
      found: () => globals[DECODERS]?.createJudge,
      mappings: async () => {
        const settings = await stored();
        badge.mute(mutedIn(settings));
        return mappingsIn(settings);
      },
    });
    storage?.onChanged.addListener((changes, area) => {
      const change = changes[STORED_KEY];
      if (area !== 'local' || change === undefined) return;
      witness.learn(mappingsIn(change.newValue));
      badge.mute(mutedIn(change.newValue));
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
      const count = read(countSchema, message);
      if (count !== null) badge.heard(count.document, count.count);
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
        if (!event.persisted) return;
        relay.renew();
        badge.again();
      },
      true,
    );
    // For the panel, which asks by `inspect()` in this world (Chromium only) to select a region in Elements. The page cannot see it.
    Object.assign(globalThis, { unsettledRegion: witness.elementOf });
    relay.announce();
  });
