/**
 * The words with which the models' makers say how an answer ended. Each dialect of theirs reads its own; producers that hand a model's
 * word on as it came read all of them.
 */
import type { FinishReason, WaitKind } from '../model';
import { table } from './dialect';

type Reason = FinishReason['reason'];
type End = readonly [Reason, WaitKind | null];

export const CHAT_ENDS: Readonly<Record<string, Reason>> = table({
  stop: 'stop',
  eos: 'stop',
  eos_token: 'stop',
  stop_sequence: 'stop',
  end_turn: 'stop',
  length: 'length',
  max_tokens: 'length',
  model_length: 'length',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
  content_filter: 'content-filter',
  sensitive: 'content-filter',
  error: 'error',
  network_error: 'error',
  insufficient_system_resource: 'error',
  abort: 'error',
});

/** Why a response is incomplete. */
export const RESPONSE_INCOMPLETE: Readonly<Record<string, Reason>> = table({
  max_output_tokens: 'length',
  max_messages: 'length',
  content_filter: 'content-filter',
  steered: 'cancelled',
});

export const ANTHROPIC_ENDS: Readonly<Record<string, End>> = table({
  end_turn: ['stop', null],
  stop_sequence: ['stop', null],
  max_tokens: ['length', null],
  model_context_window_exceeded: ['length', null],
  tool_use: ['tool-calls', 'tool'],
  // Nobody is asked, and the run is not done: the client must send the turn back unchanged.
  pause_turn: ['waiting', 'other'],
  refusal: ['refusal', null],
});

export const BEDROCK_ENDS: Readonly<Record<string, End>> = table({
  end_turn: ['stop', null],
  stop_sequence: ['stop', null],
  tool_use: ['tool-calls', 'tool'],
  max_tokens: ['length', null],
  model_context_window_exceeded: ['length', null],
  guardrail_intervened: ['content-filter', null],
  content_filtered: ['content-filter', null],
  malformed_model_output: ['error', null],
  malformed_tool_use: ['error', null],
});

export const GEMINI_ENDS: Readonly<Record<string, Reason>> = table({
  STOP: 'stop',
  MAX_TOKENS: 'length',
  CONTINUATION: 'waiting',
  SAFETY: 'refusal',
  RECITATION: 'refusal',
  BLOCKLIST: 'refusal',
  PROHIBITED_CONTENT: 'refusal',
  SPII: 'refusal',
  LANGUAGE: 'refusal',
  IMAGE_SAFETY: 'refusal',
  IMAGE_PROHIBITED_CONTENT: 'refusal',
  IMAGE_RECITATION: 'refusal',
  MODEL_ARMOR: 'refusal',
  MALFORMED_FUNCTION_CALL: 'error',
  UNEXPECTED_TOOL_CALL: 'error',
  TOO_MANY_TOOL_CALLS: 'error',
  MISSING_THOUGHT_SIGNATURE: 'error',
  MALFORMED_RESPONSE: 'error',
  IMAGE_OTHER: 'error',
  NO_IMAGE: 'error',
});

/** Whoever's word it is; null where nobody has it. */
export const endOf = (word: string): Reason | null =>
  CHAT_ENDS[word] ?? RESPONSE_INCOMPLETE[word] ?? (ANTHROPIC_ENDS[word] ?? BEDROCK_ENDS[word])?.[0] ?? GEMINI_ENDS[word] ?? null;
