/** Every key there is, by where it works. */

import { set } from '../parts/set';
import { Sheet } from '../parts/sheet';
import { useStrings } from '../strings';
import { sheetOpen } from './sheets';

export const ShortcutSheet = () => {
  const t = useStrings();
  return (
    <Sheet title={t.shortcuts} onClose={() => set(sheetOpen, false)}>
      <div class="shortcuts">
        {t.keySheet.map((group) => (
          <section key={group.title}>
            <h3>{group.title}</h3>
            <dl>
              {group.keys.map(([keys, meaning]) => (
                <div key={keys}>
                  <dt>
                    {keys.split(' ').map((one) => (
                      <kbd key={one}>{one}</kbd>
                    ))}
                  </dt>
                  <dd>{meaning}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <section>
        <h3>{t.queryHelp.title}</h3>
        <dl class="query-help">
          {t.queryHelp.lines.map(([example, meaning]) => (
            <div key={example}>
              <dt>
                <code>{example}</code>
              </dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
      </section>
    </Sheet>
  );
};
