/**
 * The tutorials' page: messages in a state, a typing indicator, an input. `first`: the indicator goes with the first word. `sent`:
 * the indicator is forgotten, and only the input is closed. `thoughts`: the answer begins with what was thought. `quiet`: an
 * error ends the indicator, and nothing else.
 */
import { ChatContainer, MainContainer, Message, MessageInput, MessageList, TypingIndicator } from '@chatscope/chat-ui-kit-react';
import { useState } from 'react';
import { ask } from './read';

interface Turn {
  readonly message: string;
  readonly sender: 'user' | 'Assistant';
}

export const Start = ({ form }: { readonly form: string }) => {
  const [turns, setTurns] = useState<readonly Turn[]>([{ sender: 'Assistant', message: 'Hello, I am the assistant. Ask me anything!' }]);
  const [isTyping, setIsTyping] = useState(false);

  const handleSend = async (message: string): Promise<void> => {
    const before: readonly Turn[] = [...turns, { sender: 'user', message }];
    const show = (answer: string): void => setTurns(answer === '' ? before : [...before, { sender: 'Assistant', message: answer }]);
    show('');
    setIsTyping(true);
    let answer = '';
    try {
      for await (const { text, thought, ended } of ask(message, new AbortController().signal)) {
        if (ended === 'failed' && form === '') throw new Error('The answer failed.');
        answer = form === 'thoughts' ? thought + (text && `\n\n${text}`) : text;
        show(answer);
        if (form === 'first' && answer !== '') setIsTyping(false);
      }
    } catch (error) {
      console.error(error);
      if (form === '') show('Sorry, something went wrong. Please try again.');
    }
    setIsTyping(false);
  };

  return (
    <MainContainer>
      <ChatContainer>
        <MessageList
          scrollBehavior="auto"
          typingIndicator={isTyping && form !== 'sent' ? <TypingIndicator content="Assistant is typing" /> : null}
        >
          {turns.map(({ message, sender }, at) => {
            const key = `turn-${at}`;
            return (
              <Message
                key={key}
                model={{ message, sender, direction: sender === 'user' ? 'outgoing' : 'incoming', position: 'single', type: 'text' }}
              />
            );
          })}
        </MessageList>
        <MessageInput
          placeholder="Type message here"
          attachButton={false}
          disabled={form === 'sent' && isTyping}
          onSend={(_html, text) => void handleSend(text)}
        />
      </ChatContainer>
    </MainContainer>
  );
};
