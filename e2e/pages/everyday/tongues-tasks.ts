/** Two more protocols for the everyday server's plan: A2A over JSON-RPC, and the Agent Client Protocol. Frames as published. */
import { data, type Speak } from './frames';

export const a2a: Speak = (script, n) => {
  const frame = (result: object): string => data({ jsonrpc: '2.0', id: n, result });
  const ids = { taskId: `7154aa77-c770-4cac-94d5-1383644f${String(n).padStart(4, '0')}`, contextId: `ctx-${n}` };
  const timestamp = '2026-12-01T08:00:05.000Z';
  const status = (state: string, text: string | null = null): string =>
    frame({
      statusUpdate: {
        ...ids,
        status: {
          state,
          timestamp,
          ...(text === null ? {} : { message: { messageId: `m-${n}-${state}`, ...ids, role: 'ROLE_AGENT', parts: [{ text }] } }),
        },
      },
    });
  return {
    type: 'text/event-stream',
    begin: () => [
      frame({ task: { id: ids.taskId, contextId: ids.contextId, status: { state: 'TASK_STATE_SUBMITTED', timestamp } } }),
      status('TASK_STATE_WORKING'),
    ],
    reason: () => [],
    say: (pieces) =>
      pieces.map((text, at) =>
        frame({
          artifactUpdate: {
            ...ids,
            artifact: { artifactId: `a${n}`, name: 'note', parts: [{ text }] },
            append: at > 0,
            lastChunk: at === pieces.length - 1 && pieces.join('') === script.answer,
          },
        }),
      ),
    end: (how) => {
      if (how === 'waiting') return [status('TASK_STATE_INPUT_REQUIRED', script.question)];
      return [how === 'failed' ? status('TASK_STATE_FAILED', 'upstream 529 overloaded') : status('TASK_STATE_COMPLETED')];
    },
  };
};

/** The id of the answer to the prompt is the client's; the server puts it in. */
export const acp: Speak = (script, n) => {
  const update = (value: object): string =>
    JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { sessionId: 'sess_1', update: value } });
  const chunk = (sessionUpdate: string, text: string): string => update({ sessionUpdate, content: { type: 'text', text } });
  const toolCall = { toolCallId: `call_${n}`, title: script.question, kind: 'execute', status: 'pending' };
  return {
    type: 'socket',
    begin: () => [],
    reason: (pieces) => pieces.map((text) => chunk('agent_thought_chunk', text)),
    say: (pieces) => pieces.map((text) => chunk('agent_message_chunk', text)),
    end: (how) => {
      if (how === 'failed') {
        return [JSON.stringify({ jsonrpc: '2.0', id: 'PROMPT', error: { code: -32603, message: 'Internal error: upstream overloaded' } })];
      }
      if (how !== 'waiting')
        return [JSON.stringify({ jsonrpc: '2.0', id: 'PROMPT', result: { stopReason: how === 'length' ? 'max_tokens' : 'end_turn' } })];
      const options = [
        { optionId: 'allow', name: 'Allow once', kind: 'allow_once' },
        { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
      ];
      return [
        update({ sessionUpdate: 'tool_call', ...toolCall }),
        JSON.stringify({
          jsonrpc: '2.0',
          id: 0,
          method: 'session/request_permission',
          params: { sessionId: 'sess_1', toolCall, options },
        }),
      ];
    },
  };
};
