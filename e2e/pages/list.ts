/** The real pages, in the order of the report. A page is a folder with `page.ts`, `labels.json`, and its own package.json. */
export const PAGES: readonly string[] = [
  'ai-sdk-react',
  'ai-sdk-vue',
  'openai-bare',
  'openai-marked',
  'deep-chat',
  'langgraph',
  'copilotkit',
  'streamdown',
  'a2a',
  'kestrel',
  'repros',
];
