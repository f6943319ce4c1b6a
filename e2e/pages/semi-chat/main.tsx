/**
 * Semi's `Chat` on OpenAI's chat completions. The state of a message is its `status`: loading, incomplete, complete, error,
 * and the component makes of it dots, a stop button, the buttons of a finished message, a red bubble. `form`:
 *
 *   (none)    as the package's page on streams has it: complete when the loop ends or is stopped, error when it throws
 *   careful   the reason of the end is asked for and shown beside the name; the reasoning is in a panel of its own
 *   red       an error is the status alone: the bubble turns red, and no word is added
 *   eager     complete from the first word on: "loading" is for the time before it
 *   swallow   errors go to the console, and `finally` makes everything complete
 *   thoughts  whatever text a piece carries is appended
 */
import { Chat, Collapse, Tag } from '@douyinfe/semi-ui';
import type { Message, RenderContentProps, RenderTitleProps } from '@douyinfe/semi-ui/lib/es/chat/interface';
import LocaleProvider from '@douyinfe/semi-ui/lib/es/locale/localeProvider';
import en from '@douyinfe/semi-ui/lib/es/locale/source/en_US';
import OpenAI from 'openai';
import { useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';

const form = new URLSearchParams(location.search).get('form') ?? '';
const client = new OpenAI({ apiKey: 'none', baseURL: `${location.origin}/v1`, dangerouslyAllowBrowser: true, maxRetries: 0 });

const ROLES = {
  user: { name: 'You', color: 'blue' },
  assistant: { name: 'Assistant', color: 'grey' },
};

type Turn = Message & { content: string; thought?: string; ending?: string };
interface Delta {
  readonly content?: string | null;
  readonly reasoning_content?: string;
}

const title = ({ message, defaultTitle }: RenderTitleProps) => {
  const { ending } = message as Turn;
  return (
    <span>
      {defaultTitle} {ending !== undefined && <Tag color="orange">{ending}</Tag>}
    </span>
  );
};
const content = ({ message, defaultContent, className }: RenderContentProps) => {
  const { thought } = message as Turn;
  return (
    <div className={className}>
      {thought !== undefined && (
        <Collapse>
          <Collapse.Panel header="Thinking" itemKey="thought">
            {thought}
          </Collapse.Panel>
        </Collapse>
      )}
      {defaultContent}
    </div>
  );
};
const CAREFUL = { renderChatBoxTitle: title, renderChatBoxContent: content };

const App = () => {
  const [chats, setChats] = useState<Message[]>([]);
  const stop = useRef<AbortController | null>(null);

  const update = (by: (last: Turn) => Partial<Turn>): void =>
    setChats((all) => [...all.slice(0, -1), { ...all.at(-1)!, ...by(all.at(-1) as Turn) }]);

  const end = (reason: string | null): void => {
    if (form !== 'careful' || reason === 'stop') update(() => ({ status: 'complete' }));
    else if (stop.current!.signal.aborted) update(() => ({ status: 'complete', ending: 'Stopped' }));
    else update(() => ({ status: 'complete', ending: reason === 'length' ? 'Cut off at the limit of length' : 'Interrupted' }));
  };

  const ask = async (prompt: string): Promise<void> => {
    stop.current = new AbortController();
    setChats((all) => [...all, { role: 'assistant', id: `a${all.length}`, createAt: Date.now(), content: '', status: 'loading' }]);
    let reason: string | null = null;
    try {
      const stream = await client.chat.completions.create(
        { model: 'scripted-1', messages: [{ role: 'user', content: prompt }], stream: true },
        { signal: stop.current.signal },
      );
      for await (const { choices } of stream) {
        const delta: Delta = choices[0]?.delta ?? {};
        reason = choices[0]?.finish_reason ?? reason;
        const text = form === 'thoughts' ? (delta.content ?? '') || delta.reasoning_content : delta.content;
        const status = form === 'eager' ? 'complete' : 'incomplete';
        if (text) update((last) => ({ content: last.content + text, status }));
        else if (delta.reasoning_content && form === 'careful')
          update(({ thought = '' }) => ({ thought: thought + delta.reasoning_content, status: 'incomplete' }));
      }
      end(reason);
    } catch (error) {
      if (form === 'swallow') console.error(error);
      else if (form === 'red') update(() => ({ status: 'error' }));
      else update((last) => ({ status: 'error', content: `${last.content}\n\nRequest error: ${(error as Error).message}` }));
    } finally {
      if (form === 'swallow') update(() => ({ status: 'complete' }));
    }
  };

  return (
    <LocaleProvider locale={en}>
      <Chat
        style={{ height: 'calc(100vh - 20px)', border: '1px solid var(--semi-color-border)', borderRadius: 16 }}
        chats={chats}
        roleConfig={ROLES}
        chatBoxRenderConfig={form === 'careful' ? CAREFUL : undefined}
        onChatsChange={(all) => setChats(all ?? [])}
        onMessageSend={(text) => void ask(text)}
        showStopGenerate
        onStopGenerator={() => stop.current?.abort()}
      />
    </LocaleProvider>
  );
};

createRoot(document.getElementById('root')!).render(<App />);
