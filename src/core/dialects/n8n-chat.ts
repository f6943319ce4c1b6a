/**
 * n8n chat and webhook streams: one JSON object a line, `{type: begin|item|end|error, content, metadata}`, sent as JSON. Spec:
 * n8n's published chat types (packages/frontend/@n8n/chat), 2026-11. Recognised by the type with `metadata.nodeId` and
 * `nodeName`.
 *
 * Each node that streams begins and ends by itself, and the workflow may go on with another: only the clean end of the
 * body, with every node ended, settles the run. `end` commits what its node said; `error` fails the run.
 */
import type { FlowEnd, Identity } from '../model';
import {
  asNumber,
  asObject,
  asString,
  type Decoder,
  type Dialect,
  type FlowOpening,
  frameObject,
  identityOf,
  type JsonObject,
  malformed,
  requestOf,
  type Utterance,
  unrecognised,
  utter,
  utterFailed,
  utterFinished,
} from './dialect';

const TYPES = new Set(['begin', 'item', 'end', 'error']);

const isChunk = (value: JsonObject | null): boolean => {
  const metadata = asObject(value?.metadata);
  return (
    value !== null && TYPES.has(asString(value.type) ?? '') && asString(metadata?.nodeId) !== null && asString(metadata?.nodeName) !== null
  );
};

const open = (opening: FlowOpening): Decoder => {
  const request = requestOf(opening);
  const conversation = asString(request?.sessionId);
  /** Nodes that have begun and not ended, and how often each began. */
  const streaming = new Set<string>();
  const rounds = new Map<string, number>();
  let opened = false;
  let ended = false;
  let settled = false;

  const begin = (raw: string): readonly Utterance[] => {
    if (opened) return [];
    opened = true;
    return [utter(raw, 'lifecycle', 'committed', { type: 'run.opened', resumes: [] }, { identity: identityOf({ conversation }) })];
  };

  return {
    frame(frame) {
      if (frame.direction === 'sent') return [];
      const value = frameObject(frame);
      if (value === null) return [malformed('(not JSON)', 'the line is not a JSON object')];
      if (!isChunk(value)) return [unrecognised(asString(value.type) ?? '(no type)')];
      const metadata = asObject(value.metadata)!;
      const type = asString(value.type)!;
      const node = `${asString(metadata.nodeId)}:${asNumber(metadata.runIndex) ?? 0}:${asNumber(metadata.itemIndex) ?? 0}`;
      const identity: Identity = identityOf({ conversation, step: metadata.nodeName });
      if (type === 'begin') rounds.set(node, (rounds.get(node) ?? 0) + 1);
      const part = `${node}:${rounds.get(node) ?? 0}`;
      const about = { identity, part };
      const text = asString(value.content) ?? '';
      const said: Utterance[] = [...begin(type)];
      switch (type) {
        case 'begin':
          streaming.add(node);
          said.push(utter(type, 'assistant', 'provisional', { type: 'part.opened' }, about));
          break;
        case 'item':
          streaming.add(node);
          said.push(utter(type, 'assistant', 'provisional', { type: 'part.delta', text }, about));
          break;
        case 'end':
          streaming.delete(node);
          ended = true;
          said.push(utter(type, 'assistant', 'committed', { type: 'part.closed', text: null }, about));
          break;
        default:
          streaming.delete(node);
          settled = true;
          said.push(utterFailed(type, text, null, { identity }));
      }
      return said;
    },
    end(how: FlowEnd) {
      if (how !== 'eof' || settled || !ended || streaming.size > 0) return [];
      return [utterFinished('end of body', { reason: 'stop', raw: null }, null, { identity: identityOf({ conversation }) })];
    },
  };
};

export const n8nChat: Dialect = {
  id: 'n8n-chat',
  title: 'n8n chat stream',
  framings: ['ndjson', 'body'],
  hasTerminalWord: true,
  endSettles: true,
  runs: 'flow',
  recognise: ({ frames }) => (frames.some((frame) => frame.direction === 'received' && isChunk(frameObject(frame))) ? 'certain' : 'no'),
  open,
};
