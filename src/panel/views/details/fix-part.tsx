/** What to do about a finding: in a sentence, then in the words and examples of the rule's own document. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type Fix, loadFix } from '../../fix';
import { useStrings } from '../../strings';

export const FixPart = ({ rule }: { rule: string }) => {
  const t = useStrings();
  const fix = useSignal<Fix | null>(null);
  useEffect(() => {
    let wanted = true;
    void loadFix(rule).then((found) => {
      if (wanted) fix.value = found;
    });
    return () => {
      wanted = false;
    };
  }, [rule, fix]);
  const short = t.rules[rule]?.fix;
  return (
    <div class="fix">
      <p>{short ?? fix.value?.words.join(' ') ?? t.noFix}</p>
      {fix.value?.examples.map(({ language, code }) => (
        <figure key={language + code}>
          <figcaption>{t.example[language]}</figcaption>
          <pre class="mono">{code}</pre>
        </figure>
      ))}
    </div>
  );
};
