/** The chunk types of the AI SDK UI message stream (ai 5, 6 and 7), and its words for how a message finished. */
import type { FinishReason, Standing, Voice } from '../model';
import { table } from './dialect';

/** Wire type → voice, standing, and the string members that such a chunk must have. */
export const CHUNK_TYPES: Readonly<Record<string, readonly [Voice, Standing, ...string[]]>> = table({
  start: ['lifecycle', 'committed'],
  'start-step': ['lifecycle', 'committed'],
  'finish-step': ['lifecycle', 'committed'],
  'reset-step': ['lifecycle', 'committed'],
  'steering-message': ['lifecycle', 'committed', 'id'],
  'text-start': ['assistant', 'provisional', 'id'],
  'text-delta': ['assistant', 'provisional', 'id', 'delta'],
  'text-end': ['assistant', 'committed', 'id'],
  'reasoning-start': ['reasoning', 'provisional', 'id'],
  'reasoning-delta': ['reasoning', 'provisional', 'id', 'delta'],
  'reasoning-end': ['reasoning', 'committed', 'id'],
  file: ['assistant', 'committed', 'url', 'mediaType'],
  'reasoning-file': ['reasoning', 'committed', 'url', 'mediaType'],
  'tool-input-start': ['tool', 'provisional', 'toolCallId', 'toolName'],
  'tool-input-delta': ['tool', 'provisional', 'toolCallId', 'inputTextDelta'],
  'tool-input-available': ['tool', 'committed', 'toolCallId', 'toolName'],
  'tool-input-error': ['tool', 'committed', 'toolCallId', 'toolName', 'errorText'],
  'tool-approval-request': ['interaction', 'committed', 'approvalId', 'toolCallId'],
  'tool-approval-response': ['interaction', 'committed', 'approvalId'],
  'tool-output-available': ['tool', 'committed', 'toolCallId'],
  'tool-output-error': ['tool', 'committed', 'toolCallId', 'errorText'],
  'tool-output-denied': ['tool', 'committed', 'toolCallId'],
  'source-url': ['log', 'committed', 'sourceId', 'url'],
  'source-document': ['log', 'committed', 'sourceId', 'title'],
  custom: ['log', 'committed', 'kind'],
  'message-metadata': ['log', 'committed'],
  finish: ['terminal', 'settling'],
  error: ['terminal', 'settling', 'errorText'],
  abort: ['terminal', 'settling'],
});

/** Agent-authored parts, `data-<name>`. */
export const DATA = ['progress', 'committed'] as const;

/** `finishReason` → what it means. Absent means a good end; a word that is not here says "ended", and not how. */
export const REASONS: Readonly<Record<string, FinishReason['reason']>> = table({
  stop: 'stop',
  'tool-calls': 'tool-calls',
  length: 'length',
  'content-filter': 'content-filter',
  error: 'error',
});
