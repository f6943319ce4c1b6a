/**
 * How to fix what a rule found, with its examples, read from the rule's own document when somebody asks. The documents lie
 * beside the panel as files; only their names are in its code.
 */

export interface Fix {
  readonly words: readonly string[];
  readonly examples: readonly { readonly language: 'react' | 'dom' | 'other'; readonly code: string }[];
}

const DOCS = import.meta.glob<string>('../core/findings/*.md', { query: '?url&no-inline', import: 'default', eager: true });

const LANGUAGES: Readonly<Record<string, 'react' | 'dom'>> = { tsx: 'react', js: 'dom' };

/** The section "How to fix" of a rule's document. Null: it has none. */
export const fixIn = (document: string): Fix | null => {
  const section = /^## How to fix\n([\s\S]*?)(?=^## |$(?![\s\S]))/mu.exec(document)?.[1];
  if (section === undefined) return null;
  const examples: { language: 'react' | 'dom' | 'other'; code: string }[] = [];
  const words = section
    .replace(/^```(\w*)\n([\s\S]*?)^```$/gmu, (_all, language: string, code: string) => {
      examples.push({ language: LANGUAGES[language] ?? 'other', code: code.trimEnd() });
      return '\n';
    })
    .split(/\n{2,}/u)
    .map((each) => each.replaceAll('\n', ' ').replaceAll('`', '').trim())
    .filter((each) => each !== '');
  return { words, examples };
};

const known = new Map<string, Promise<Fix | null>>();

/** Null where the document cannot be read. Never rejects. */
export const loadFix = (rule: string): Promise<Fix | null> => {
  const url = DOCS[`../core/findings/${rule}.md`];
  let fix = known.get(rule);
  if (fix === undefined) {
    fix =
      url === undefined
        ? Promise.resolve(null)
        : fetch(url)
            .then((response) => response.text())
            .then(fixIn)
            .catch(() => null);
    known.set(rule, fix);
  }
  return fix;
};
