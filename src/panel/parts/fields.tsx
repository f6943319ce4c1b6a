/** Names and values, in two columns that share their edge. */
import type { ComponentChildren } from 'preact';
import { useStrings } from '../strings';
import { CopyButton } from './button';

export const Fields = ({ children }: { children: ComponentChildren }) => <dl class="fields">{children}</dl>;

export const Field = ({
  name,
  children,
  copy,
  mono = false,
}: {
  name: string;
  children: ComponentChildren;
  copy?: string;
  mono?: boolean;
}) => {
  const t = useStrings();
  return (
    <>
      <dt>{name}</dt>
      <dd class={mono ? 'mono' : ''}>
        <span class="field-value">{children}</span>
        {copy === undefined ? null : <CopyButton small label={t.copyOf(name)} text={() => copy} />}
      </dd>
    </>
  );
};
