/**
 * The `deep-chat` element on an OpenAI-compatible service of one's own, streaming. Its whole page lives in a shadow root.
 * `form=completions` speaks chat completions, else the responses protocol.
 */
import 'deep-chat';
import type { DeepChat } from 'deep-chat';

const chat = document.getElementById('chat') as DeepChat;
const completions = new URLSearchParams(location.search).get('form') === 'completions';
chat.directConnection = { openAI: { key: 'none', validateKeyProperty: false, ...(completions ? { completions: {} } : { chat: true }) } };
chat.connect = { url: completions ? '/v1/chat/completions' : '/v1/responses', stream: true };
