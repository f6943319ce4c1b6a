/**
 * Kestrel mobile turn events: `GET /api/mobile/v1/turns/{turnId}/events`. Spec: LumiCorp/kestrel at 61f86bdb (read in
 * source only). Recognised by `{id: "<turnId>:<sequence>", type, data: {turnId}, createdAt}`.
 *
 * It has no terminal word: the stream closes when the turn is over, and the turn's outcome is only in the turn snapshot.
 * A delta is therefore never committed here.
 */
import type { Voice, WireFrame } from '../model';
import {
  asObject,
  asString,
  type Decoder,
  type Dialect,
  frameObject,
  identityOf,
  type JsonObject,
  malformed,
  table,
  type Utterance,
  utter,
} from './dialect';
import { createWriting } from './writing';

const VOICES: Readonly<Record<string, Voice>> = table({
  'message.delta': 'assistant',
  'activity.updated': 'lifecycle',
  'snapshot.changed': 'lifecycle',
});

const envelope = (frame: WireFrame): { readonly event: JsonObject; readonly turn: string } | null => {
  const event = frameObject(frame);
  const turn = asString(asObject(event?.data)?.turnId);
  if (event === null || turn === null || asString(event.createdAt) === null) return null;
  const id = asString(event.id);
  return id?.startsWith(turn) && id.charAt(turn.length) === ':' ? { event, turn } : null;
};

const open = (): Decoder => {
  const writing = createWriting();
  return {
    frame(frame) {
      const read = envelope(frame);
      if (read === null) return [malformed('(envelope)', 'not a turn event envelope')];
      const { event, turn } = read;
      const type = asString(event.type) ?? '';
      const data = asObject(event.data)!;
      const piece = writing.more(type === 'message.delta' ? data.textDelta : null, asString(event.id), turn);
      if (piece !== null) return piece;
      const more = { identity: identityOf({ run: turn }), wireId: asString(event.id) };
      const said: Utterance[] = [];
      if (type === 'message.delta')
        said.push(
          utter(
            type,
            'assistant',
            'provisional',
            { type: 'part.delta', text: asString(data.textDelta) ?? '' },
            { ...more, part: 'message' },
          ),
        );
      else if (type === 'activity.updated')
        said.push(
          utter(
            type,
            'lifecycle',
            'committed',
            {
              type: 'status',
              state: data.stage === 'queued' ? 'queued' : 'working',
              label: [asString(data.stage), asString(data.message)].filter(Boolean).join(' · '),
            },
            more,
          ),
        );
      else if (type === 'snapshot.changed')
        said.push(utter(type, 'lifecycle', 'committed', { type: 'note', text: asString(data.reason) }, more));
      else said.push(utter(type, VOICES[type] ?? null, 'provisional', { type: 'unrecognised' }, more));
      return writing.note(said);
    },
    end: () => [],
  };
};

export const kestrelMobile: Dialect = {
  id: 'kestrel-mobile',
  title: 'Kestrel mobile turn events',
  framings: ['sse'],
  hasTerminalWord: false,
  runs: 'flow',
  recognise(opening) {
    const first = opening.frames[0];
    if (first === undefined) return 'no';
    const read = envelope(first);
    return read !== null && (asString(read.event.type) ?? '') in VOICES ? 'certain' : 'no';
  },
  open,
};
