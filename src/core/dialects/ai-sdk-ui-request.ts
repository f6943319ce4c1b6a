/**
 * What a chat request of the AI SDK family (`{id, messages, trigger}`, assistant-ui's `{commands}`) says about the run it
 * continues. The page repeats the messages; if the last one is the assistant's or a tool's, the request goes on with that
 * message: its answered approvals and the results of its calls are in the parts of the last step. A last message of the
 * user begins a run.
 */
import { asArray, asObject, asString, asText, identityOf, type JsonObject, type Utterance, utter } from './dialect';

export interface Continuation {
  /** Ids of the message, its calls and its approvals. Empty if the request begins a run. */
  readonly resumes: readonly string[];
  /** The answers the request brings. */
  readonly answers: readonly Utterance[];
  /** Tool call → approval, of the calls in the message. */
  readonly approvals: ReadonlyMap<string, string>;
}

const RAW = '(request)';

export const continuation = (request: JsonObject | null): Continuation => {
  const resumes: string[] = [];
  const approvals = new Map<string, string>();
  let answers: Utterance[] = [];
  const returned = (call: string, output: string | null, failed: boolean): void => {
    const identity = identityOf({ toolCall: call });
    answers.push(utter(RAW, 'tool', 'committed', { type: 'tool.returned', output, failed, preliminary: false }, { identity }));
  };

  for (const member of asArray(request?.commands)) {
    const command = asObject(member);
    const call = asString(command?.toolCallId);
    if (call === null || command?.type !== 'add-tool-result') continue;
    resumes.push(call);
    returned(call, asText(command.result), command.isError === true);
  }

  const last = asObject(asArray(request?.messages).at(-1)) ?? asObject(request?.message);
  // A page that goes on by itself names the message it goes on with, even where it sends none.
  const named = request?.trigger === 'submit-message' ? asString(request.messageId) : null;
  if (last === null && named !== null) resumes.push(named);
  if (last === null || (last.role !== 'assistant' && last.role !== 'tool')) return { resumes, answers, approvals };
  const id = asString(last.id);
  if (id !== null && id !== '') resumes.push(id);
  for (const member of [...asArray(last.parts), ...asArray(last.content), ...asArray(last.toolInvocations)]) {
    const outer = asObject(member);
    // Earlier steps were answered by earlier requests, or by the server itself.
    if (outer?.type === 'step-start') answers = [];
    // Version 4 keeps the call in a member of its own.
    const part = asObject(outer?.toolInvocation) ?? outer;
    const call = asString(part?.toolCallId);
    if (part === null || call === null) continue;
    resumes.push(call);
    const approval = asObject(part.approval);
    const request = asString(approval?.id);
    if (request !== null) {
      resumes.push(request);
      approvals.set(call, request);
      if (typeof approval?.approved === 'boolean')
        answers.push(utter(RAW, 'interaction', 'committed', { type: 'answered', request, how: approval.approved ? 'approved' : 'denied' }));
    }
    if (part.providerExecuted === true) continue;
    if (part.state === 'output-error') returned(call, asString(part.errorText), true);
    else if (part.state === 'output-available') returned(call, asText(part.output), false);
    else if (part.state === 'result' || 'result' in part) returned(call, asText(part.result), part.isError === true);
  }
  return { resumes: [...new Set(resumes)], answers, approvals };
};
