/**
 * IBM's Carbon AI Chat over OpenAI's own client in the browser. `form`: '' streams as the package's example does, with reasoning steps,
 * and says each end with the package's error item or in a line of its own; `loose` finishes the message whatever happened; `throws`
 * leaves an error to the package; `unfinished` streams pieces and never says that the message is complete.
 */
import {
  ChatCustomElement,
  type ChatInstance,
  type CustomSendMessageOptions,
  type GenericItem,
  type MessageRequest,
  MessageResponseTypes,
} from '@carbon/ai-chat';
import OpenAI from 'openai';
import { createRoot } from 'react-dom/client';

const form = new URLSearchParams(location.search).get('form') ?? '';
const client = new OpenAI({ apiKey: 'sk-page', baseURL: `${location.origin}/v1`, dangerouslyAllowBrowser: true, maxRetries: 0 });

const customSendMessage = async (request: MessageRequest, { signal }: CustomSendMessageOptions, instance: ChatInstance): Promise<void> => {
  const question = request.input.text ?? '';
  if (question === '') return;
  const response_id = crypto.randomUUID();
  let text = '';
  let thought = '';
  let end = '';
  const add = (delta: string): void => {
    text += delta;
    void instance.messaging.addMessageChunk({
      partial_item: { response_type: MessageResponseTypes.TEXT, text: delta, streaming_metadata: { id: '1', cancellable: true } },
      streaming_metadata: { response_id },
      ...(thought === '' ? {} : { partial_response: { message_options: { reasoning: { content: thought } } } }),
    });
  };
  try {
    const stream = await client.responses.create({ model: 'gpt-5.6', input: question, stream: true }, { signal });
    for await (const event of stream) {
      if (event.type === 'response.reasoning_summary_text.delta' && form === '') {
        thought += event.delta;
        add('');
      } else if (event.type === 'response.output_text.delta') add(event.delta);
      else if (event.type === 'response.completed') end = 'completed';
      else if (event.type === 'response.incomplete') end = 'incomplete';
      else if (event.type === 'response.failed') end = 'failed';
    }
  } catch (error) {
    if (form === 'throws' && !signal.aborted) throw error;
    console.error(error);
  }
  if (form === 'unfinished') return;
  const stopped = signal.aborted;
  const item: GenericItem = { response_type: MessageResponseTypes.TEXT, text, streaming_metadata: { id: '1', stream_stopped: stopped } };
  await instance.messaging.addMessageChunk({ complete_item: item, streaming_metadata: { response_id } });
  const generic: GenericItem[] = [item];
  if (form === '' && !stopped && end === 'incomplete')
    generic.push({ response_type: MessageResponseTypes.TEXT, text: '_The answer reached its length limit and is not complete._' });
  else if (form === '' && !stopped && end !== 'completed')
    generic.push({ response_type: MessageResponseTypes.INLINE_ERROR, text: 'The answer broke off. Please ask again.' });
  await instance.messaging.addMessageChunk({
    final_response: {
      id: response_id,
      output: { generic },
      ...(thought === '' ? {} : { message_options: { reasoning: { content: thought } } }),
    },
  });
};

createRoot(document.getElementById('root')!).render(
  <ChatCustomElement
    className="chat"
    openChatByDefault
    injectCarbonTheme={'white' as never}
    assistantName="Household assistant"
    messaging={{ customSendMessage, skipWelcome: true }}
  />,
);
