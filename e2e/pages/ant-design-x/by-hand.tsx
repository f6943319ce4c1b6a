/**
 * Ant Design X with a `fetch` of one's own and its `XStream`. `early`: the sender's loading ends with the first word. `finally`:
 * whatever happens, the answer is done afterwards and gets its actions. `thoughts`: what comes is shown, reasoning too.
 */
import { Actions, Bubble, Sender } from '@ant-design/x';
import { XStream } from '@ant-design/x-sdk';
import { Flex } from 'antd';
import { useState } from 'react';

interface Turn {
  readonly key: string;
  readonly role: 'user' | 'ai';
  readonly content: string;
  readonly loading?: boolean;
  readonly done?: boolean;
}

export const ByHand = ({ form }: { readonly form: string }) => {
  const [turns, setTurns] = useState<readonly Turn[]>([]);
  const [loading, setLoading] = useState(false);
  const [value, setValue] = useState('');

  const ask = async (question: string): Promise<void> => {
    const key = `answer-${turns.length}`;
    const patch = (more: Partial<Turn>): void => setTurns((now) => now.map((turn) => (turn.key === key ? { ...turn, ...more } : turn)));
    setTurns([
      ...turns,
      { key: `question-${turns.length}`, role: 'user', content: question },
      { key, role: 'ai', content: '', loading: true },
    ]);
    setValue('');
    setLoading(true);
    try {
      const response = await fetch('/v1/chat/completions', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'scripted-1', stream: true, messages: [{ role: 'user', content: question }] }),
      });
      let text = '';
      for await (const { data } of XStream({ readableStream: response.body! })) {
        if (data === undefined || data.trim() === '[DONE]') continue;
        const delta = JSON.parse(data).choices?.[0]?.delta ?? {};
        text += delta.content || (form === 'thoughts' ? (delta.reasoning_content ?? '') : '');
        if (text === '') continue;
        if (form === 'early') setLoading(false);
        patch({ content: text, loading: false });
      }
    } catch (error) {
      console.error(error);
    } finally {
      setLoading(false);
      patch({ loading: false, done: true });
    }
  };

  return (
    <Flex vertical gap="middle">
      <Bubble.List
        style={{ height: 480 }}
        role={{ user: { placement: 'end' }, ai: { placement: 'start' } }}
        items={turns.map(({ done, ...turn }) => ({
          ...turn,
          footer:
            done && form === 'finally' ? (
              <Flex gap="small">
                <Actions.Copy text={turn.content} />
                <Actions.Feedback />
              </Flex>
            ) : null,
        }))}
      />
      <Sender loading={loading} value={value} onChange={setValue} onSubmit={ask} />
    </Flex>
  );
};
