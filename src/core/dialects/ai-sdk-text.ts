/**
 * Bare text streams: the AI SDK's text protocol (`TextStreamChatTransport`, `useCompletion`) and home-made back ends that
 * write the answer's words and nothing else. Spec: ai-sdk.dev, text stream protocol; npm ai 5 to 7.
 *
 * There is nothing on the wire to know it by, so it is only ever plausible: an untyped or plain text body in answer to a
 * POST whose JSON holds a chat or a prompt. It has no terminal word and commits nothing: the end of the body is all there is.
 */
import { asArray, asObject, asString, type Dialect, type FlowOpening, mediaType, parseJson, utter } from './dialect';
import { isMessage } from './fails-at-once';

const TEXT_TYPES = new Set(['', 'text/plain', 'application/octet-stream', 'text/markdown']);

/** Whether the request asks a model something: a list of messages with roles, one such message, or a prompt. */
export const asksModel = (requestBody: string | null): boolean => {
  if (requestBody === null) return false;
  const body = asObject(parseJson(requestBody));
  // A long chat's body reaches us cut off: look for the list by its beginning.
  if (body === null) return /^\s*\{[\s\S]{0,2000}?"messages"\s*:\s*\[\s*\{[\s\S]{0,2000}?"role"\s*:\s*"/u.test(requestBody);
  if (isMessage(asObject(body.message) ?? {}) || (asString(body.prompt) ?? '').trim() !== '') return true;
  const messages = asArray(body.messages);
  return messages.length > 0 && messages.every((message) => isMessage(asObject(message) ?? {}));
};

export const aiSdkText: Dialect = {
  id: 'ai-sdk-text',
  title: 'Plain text stream',
  framings: ['text'],
  hasTerminalWord: false,
  runs: 'flow',
  recognise({ transport, method, status, headers, requestBody, frames }: FlowOpening) {
    if (transport !== 'fetch' && transport !== 'xhr') return 'no';
    if (method.toUpperCase() !== 'POST' || status === null || status < 200 || status > 299) return 'no';
    if (!TEXT_TYPES.has(mediaType(headers)) || !asksModel(requestBody)) return 'no';
    const received = frames.filter((frame) => frame.direction === 'received');
    if (received.length === 0 || received.some((frame) => frame.framing !== 'text' || frame.encoding !== 'text')) return 'no';
    // Error pages and markup are no answer.
    return received[0]!.data.trimStart().startsWith('<') ? 'no' : 'plausible';
  },
  open: () => ({
    frame: (frame) => [utter('(text)', 'assistant', 'provisional', { type: 'part.delta', text: frame.data }, { part: 'text' })],
    end: () => [],
  }),
};
