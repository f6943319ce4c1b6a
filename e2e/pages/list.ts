/** The real pages, in the order of the report. A page is a folder with `page.ts`, `labels.json`, and its own package.json. */
export const PAGES: readonly string[] = [
  'ai-sdk-react',
  'ai-sdk-vue',
  'openai-bare',
  'openai-marked',
  'deep-chat',
  'assistant-ui',
  'ai-sdk-svelte',
  'chat-virtuoso',
  'langgraph',
  'copilotkit',
  'streamdown',
  'a2a',
  'kestrel',
  'repros',
  'by-hand',
  'unseen',
  'everyday',
  'ant-design-x',
  'nlux',
  'chatscope',
  'chatbotify',
  'llamaindex-chat-ui',
  'vue-advanced-chat',
  'semi-chat',
];

/** Too heavy for every run: played by name only, one case at a time, and installed on purpose. */
export const BY_NAME: readonly string[] = ['dsh'];
