/** A page on the kit that knows each end: thought in a system line, a stop button, a foot under the answer, a question to answer. */
import {
  Button,
  ChatContainer,
  ConversationHeader,
  MainContainer,
  Message,
  MessageInput,
  MessageList,
  TypingIndicator,
} from '@chatscope/chat-ui-kit-react';
import { useRef, useState } from 'react';
import { ask, type Said } from './read';

const FEET: Readonly<Record<string, string>> = {
  length: 'Cut off at the limit of length',
  failed: 'The model failed, this is incomplete',
  stopped: 'Stopped',
  lost: 'Connection lost, this is incomplete',
};

export const Careful = () => {
  const [question, setQuestion] = useState<string | null>(null);
  const [said, setSaid] = useState<Said | null>(null);
  const stop = useRef<AbortController | null>(null);
  const busy = question !== null && said?.ended === undefined;

  const handleSend = async (text: string): Promise<void> => {
    setQuestion(text);
    let last: Said = { text: '', thought: '' };
    setSaid(last);
    stop.current = new AbortController();
    try {
      for await (const now of ask(text, stop.current.signal)) {
        last = now;
        setSaid(now);
      }
      if (last.ended === undefined) setSaid({ ...last, ended: 'lost' });
    } catch {
      setSaid({ ...last, ended: stop.current.signal.aborted ? 'stopped' : 'lost' });
    }
  };

  const foot = FEET[said?.ended ?? ''];
  return (
    <MainContainer>
      <ChatContainer>
        <ConversationHeader>
          <ConversationHeader.Content userName="Assistant" info={busy ? 'writing…' : 'online'} />
          <ConversationHeader.Actions>
            {busy && (
              <Button border className="stop" onClick={() => stop.current?.abort()}>
                Stop
              </Button>
            )}
          </ConversationHeader.Actions>
        </ConversationHeader>
        <MessageList scrollBehavior="auto" typingIndicator={busy ? <TypingIndicator content="Assistant is typing" /> : null}>
          {question !== null && <Message model={{ message: question, direction: 'outgoing', position: 'single' }} />}
          {said !== null && (said.text !== '' || foot !== undefined) && (
            <Message model={{ message: said.text, direction: 'incoming', position: 'single', type: 'text' }}>
              {said.thought !== '' && <Message.Header sender={`Thought: ${said.thought}`} />}
              {foot !== undefined && <Message.Footer sender={foot} />}
            </Message>
          )}
          {said?.ended === 'tool-calls' && (
            <Message model={{ direction: 'incoming', position: 'single', type: 'custom' }}>
              <Message.CustomContent>
                {said.question} <Button border>Yes</Button> <Button border>No</Button>
              </Message.CustomContent>
            </Message>
          )}
        </MessageList>
        <MessageInput
          placeholder="Type message here"
          attachButton={false}
          disabled={busy}
          onSend={(_html, text) => void handleSend(text)}
        />
      </ChatContainer>
    </MainContainer>
  );
};
