/**
 * `@llamaindex/chat-ui` with `useChat`: its quick-start is one component and a handler. `form` says what people make of it:
 *
 *   (none)    the quick-start: no error, no reason of an end
 *   composed  its parts put together by hand, as its page on composition does, with what ended the answer in a badge of the
 *             message, the reasoning in a disclosure, and a question with its buttons
 *   eager     the handler says "ready" from the first word on, so that one may type while the answer grows
 *   thoughts  reasoning parts are made text parts, because the package shows no others
 *   events    a tool call is made an event of the package's own, "success" once its input is there
 */
import './prism';
import '@llamaindex/chat-ui/styles/markdown.css';
import './styles.css';
import { useChat } from '@ai-sdk/react';
import { ChatInput, ChatMessage, ChatMessages, ChatSection, type Message, useChatMessage, useChatUI, usePart } from '@llamaindex/chat-ui';
import { DefaultChatTransport, type UIMessage } from 'ai';
import { createContext, useContext, useState } from 'react';
import { createRoot } from 'react-dom/client';

const form = new URLSearchParams(location.search).get('form') ?? '';
const transport = new DefaultChatTransport({ api: `/api/chat${location.search}` });

type Part = UIMessage['parts'][number];
interface Ask {
  readonly question?: string;
}

const asText = (part: Part): Part => (part.type === 'reasoning' ? { type: 'text', text: part.text } : part);
const asEvent = (part: Part): Part => {
  if (part.type !== 'tool-askForConfirmation' || !('state' in part)) return part;
  const title = 'Asked for confirmation';
  const status = part.state === 'input-streaming' ? 'pending' : 'success';
  return { type: 'data-event', data: { title, description: (part.input as Ask | undefined)?.question, status } };
};
const changed = (change: (part: Part) => Part, messages: readonly UIMessage[]): UIMessage[] =>
  messages.map((message) => ({ ...message, parts: message.parts.map(change) }));

const Simple = () => {
  const chat = useChat({ transport });
  const last = chat.messages.at(-1);
  const hasWords = last?.role === 'assistant' && last.parts.some((part) => part.type === 'text' && part.text !== '');
  const handler = {
    ...chat,
    status: form === 'eager' && chat.status === 'streaming' && hasWords ? 'ready' : chat.status,
    messages: form === 'thoughts' ? changed(asText, chat.messages) : form === 'events' ? changed(asEvent, chat.messages) : chat.messages,
  };
  return <ChatSection handler={handler as never} />;
};

type Answer = (call: string, output: string) => void;
const Answering = createContext<Answer>(() => {});

const Reasoning = () => {
  const part = usePart<{ type: 'reasoning'; text: string }>('reasoning');
  return part === null ? null : (
    <details className="text-muted-foreground border-l-2 pl-4 text-sm">
      <summary>Reasoning</summary>
      {part.text}
    </details>
  );
};

const Question = () => {
  const part = usePart<{ type: string; toolCallId: string; state: string; input?: Ask }>('tool-askForConfirmation');
  const answer = useContext(Answering);
  if (part === null) return null;
  const button = (output: string) => (
    <button type="button" className="mr-2 rounded border px-3 py-1" onClick={() => answer(part.toolCallId, output)}>
      {output}
    </button>
  );
  return (
    <div className="rounded-xl border p-3">
      <p className="mb-2">{part.input?.question}</p>
      {part.state === 'input-available' && ['Yes', 'No'].map(button)}
    </div>
  );
};

const Badge = ({ endings }: { readonly endings: Readonly<Record<string, string>> }) => {
  const { message } = useChatMessage();
  const ending = endings[message.id];
  return ending === undefined ? null : <span className="self-end rounded-full bg-amber-100 px-2 text-xs text-amber-900">{ending}</span>;
};

const Messages = ({ endings }: { readonly endings: Readonly<Record<string, string>> }) => {
  const { messages } = useChatUI();
  return (
    <ChatMessages>
      <ChatMessages.List>
        {messages.map((message: Message, at: number) => (
          <ChatMessage key={message.id} message={message} isLast={at === messages.length - 1}>
            <ChatMessage.Avatar />
            <ChatMessage.Content>
              <Reasoning />
              <ChatMessage.Part.Markdown />
              <Question />
            </ChatMessage.Content>
            <Badge endings={endings} />
            <ChatMessage.Actions />
          </ChatMessage>
        ))}
        <ChatMessages.Loading />
      </ChatMessages.List>
      <ChatMessages.Actions />
    </ChatMessages>
  );
};

const Composed = () => {
  const [endings, setEndings] = useState<Readonly<Record<string, string>>>({});
  const chat = useChat({
    transport,
    onFinish({ message, isAbort, isDisconnect, isError, finishReason }) {
      const ending = (() => {
        if (isAbort) return 'Stopped';
        if (isDisconnect) return 'Connection lost';
        if (isError) return 'Failed';
        if (finishReason === undefined) return 'Incomplete';
        return finishReason === 'length' ? 'Cut off' : null;
      })();
      if (ending !== null) setEndings((all) => ({ ...all, [message.id]: ending }));
    },
  });
  const answer: Answer = (toolCallId, output) => void chat.addToolOutput({ tool: 'askForConfirmation', toolCallId, output } as never);
  return (
    <Answering value={answer}>
      <ChatSection handler={chat as never}>
        <Messages endings={endings} />
        <ChatInput>
          <ChatInput.Form>
            <ChatInput.Field placeholder="Ask about your documents" />
            <ChatInput.Submit />
          </ChatInput.Form>
        </ChatInput>
      </ChatSection>
    </Answering>
  );
};

createRoot(document.getElementById('root')!).render(form === 'composed' ? <Composed /> : <Simple />);
