/**
 * `@assistant-ui/react` over the AI SDK: the runtime of its quick-start and a thread of its primitives, as its own thread
 * component puts them together (welcome, messages with an action bar, error, composer with send and cancel), without its
 * style sheet. `form=tools` registers a display for the tool call that asks.
 */
import {
  ActionBarPrimitive,
  AssistantRuntimeProvider,
  ComposerPrimitive,
  ErrorPrimitive,
  MessagePrimitive,
  ThreadPrimitive,
  type ToolCallMessagePartProps,
} from '@assistant-ui/react';
import { AssistantChatTransport, useChatRuntime } from '@assistant-ui/react-ai-sdk';
import { MarkdownTextPrimitive } from '@assistant-ui/react-markdown';
import type { PropsWithChildren } from 'react';
import { createRoot } from 'react-dom/client';
import remarkGfm from 'remark-gfm';

const tools = new URLSearchParams(location.search).get('form') === 'tools';

const MarkdownText = () => <MarkdownTextPrimitive remarkPlugins={[remarkGfm]} className="markdown" />;
const Reasoning = ({ text }: { readonly text: string }) => <p>{text}</p>;
const ReasoningGroup = ({ children }: PropsWithChildren) => (
  <details className="thoughts" open>
    <summary>Reasoning</summary>
    {children}
  </details>
);
const Ask = ({ args, result, addResult }: ToolCallMessagePartProps<{ question?: string }, string>) => (
  <div className="ask">
    <p>{args.question}</p>
    {result === undefined ? (
      <>
        <button type="button" onClick={() => addResult('yes')}>
          Yes
        </button>
        <button type="button" onClick={() => addResult('no')}>
          No
        </button>
      </>
    ) : (
      <p>Answered: {result}</p>
    )}
  </div>
);
const Nothing = () => null;

const UserMessage = () => (
  <MessagePrimitive.Root className="user">
    <MessagePrimitive.Parts />
  </MessagePrimitive.Root>
);

const AssistantMessage = () => (
  <MessagePrimitive.Root className="assistant">
    <MessagePrimitive.Parts components={{ Text: MarkdownText, Reasoning, ReasoningGroup, tools: { Fallback: tools ? Ask : Nothing } }} />
    <MessagePrimitive.Error>
      <ErrorPrimitive.Root className="error">
        <ErrorPrimitive.Message />
      </ErrorPrimitive.Root>
    </MessagePrimitive.Error>
    <ActionBarPrimitive.Root hideWhenRunning autohide="not-last" className="actions">
      <ActionBarPrimitive.Copy>Copy</ActionBarPrimitive.Copy>
      <ActionBarPrimitive.Reload>Refresh</ActionBarPrimitive.Reload>
    </ActionBarPrimitive.Root>
  </MessagePrimitive.Root>
);

const Thread = () => (
  <ThreadPrimitive.Root className="root">
    <ThreadPrimitive.Viewport className="viewport">
      <ThreadPrimitive.Empty>
        <p>How can I help you today?</p>
      </ThreadPrimitive.Empty>
      <ThreadPrimitive.Messages components={{ UserMessage, AssistantMessage }} />
    </ThreadPrimitive.Viewport>
    <ComposerPrimitive.Root className="composer">
      <ComposerPrimitive.Input rows={1} placeholder="Send a message..." aria-label="Message input" />
      <ThreadPrimitive.If running={false}>
        <ComposerPrimitive.Send aria-label="Send message">↑</ComposerPrimitive.Send>
      </ThreadPrimitive.If>
      <ThreadPrimitive.If running>
        <ComposerPrimitive.Cancel aria-label="Stop generating">■</ComposerPrimitive.Cancel>
      </ThreadPrimitive.If>
    </ComposerPrimitive.Root>
  </ThreadPrimitive.Root>
);

const App = () => {
  const runtime = useChatRuntime({ transport: new AssistantChatTransport({ api: `/api/chat${location.search}` }) });
  return (
    <AssistantRuntimeProvider runtime={runtime}>
      <Thread />
    </AssistantRuntimeProvider>
  );
};

createRoot(document.getElementById('root')!).render(<App />);
