/**
 * A browser client of one A2A agent, written along the streaming sample of `@a2a-js/sdk`: find the agent by its card, send
 * a message, go through the events, print artifacts as they grow and the status beside them. `?scenario=` names the agent.
 */
import { Role, TaskState } from '@a2a-js/sdk';
import { ClientFactory } from '@a2a-js/sdk/client';

const messages = document.getElementById('messages')!;
const statusLine = document.getElementById('status')!;
const input = document.getElementById('input') as HTMLInputElement;
const send = document.getElementById('send') as HTMLButtonElement;
const cancel = document.getElementById('cancel') as HTMLButtonElement;

const agent = `${location.origin}/agents/${new URLSearchParams(location.search).get('scenario') ?? 'completed'}/`;
const client = await new ClientFactory().createFromUrl(agent, '.well-known/agent-card.json');

let contextId = '';
let taskId = '';
/** Set while the agent waits for more: the next message answers it. */
let asking = false;

const bubble = (kind: 'user' | 'agent', text = ''): HTMLElement => {
  const element = document.createElement('div');
  element.className = `message ${kind}`;
  element.textContent = text;
  messages.append(element);
  return element;
};

type Parts = readonly { readonly content?: { readonly $case: string; readonly value: unknown } | undefined }[];
const textOf = (parts: Parts | undefined): string =>
  (parts ?? []).map(({ content }) => (content?.$case === 'text' ? String(content.value) : '')).join('');

const busy = (on: boolean): void => {
  input.disabled = on;
  send.disabled = on;
  cancel.hidden = !on;
  if (!on) statusLine.textContent = '';
};

const ask = async (text: string): Promise<void> => {
  bubble('user', text);
  const answer = bubble('agent');
  busy(true);
  statusLine.textContent = 'Sending…';
  try {
    const stream = client.sendMessageStream({
      tenant: '',
      message: {
        messageId: crypto.randomUUID(),
        contextId,
        taskId: asking ? taskId : '',
        role: Role.ROLE_USER,
        parts: [{ content: { $case: 'text', value: text }, metadata: undefined, filename: '', mediaType: '' }],
        metadata: undefined,
        extensions: [],
        referenceTaskIds: [],
      },
      configuration: undefined,
      metadata: undefined,
    });
    asking = false;
    for await (const { payload } of stream) {
      switch (payload?.$case) {
        case 'task':
          taskId = payload.value.id;
          contextId = payload.value.contextId;
          break;
        case 'message':
          answer.textContent = textOf(payload.value.parts);
          break;
        case 'artifactUpdate': {
          const piece = textOf(payload.value.artifact?.parts);
          answer.textContent = payload.value.append ? answer.textContent + piece : piece;
          break;
        }
        case 'statusUpdate': {
          const { state, message } = payload.value.status!;
          const said = textOf(message?.parts);
          if (state === TaskState.TASK_STATE_WORKING) statusLine.textContent = said || 'Working…';
          else if (state === TaskState.TASK_STATE_INPUT_REQUIRED) {
            answer.textContent = said;
            asking = true;
            input.placeholder = 'Answer the agent';
          } else if (state === TaskState.TASK_STATE_FAILED || state === TaskState.TASK_STATE_REJECTED) {
            const note = document.createElement('p');
            note.className = 'error';
            note.textContent = `Task failed: ${said}`;
            answer.append(note);
          } else if (state === TaskState.TASK_STATE_CANCELED) {
            const note = document.createElement('p');
            note.textContent = 'Task cancelled.';
            answer.append(note);
          }
          break;
        }
      }
    }
  } catch (error) {
    const note = document.createElement('p');
    note.className = 'error';
    note.textContent = `Error: ${(error as Error).message}`;
    answer.append(note);
  } finally {
    busy(false);
  }
};

document.getElementById('composer')!.addEventListener('submit', (event) => {
  event.preventDefault();
  const text = input.value;
  input.value = '';
  void ask(text);
});
cancel.addEventListener('click', () => void client.cancelTask({ tenant: '', id: taskId, metadata: undefined }));
