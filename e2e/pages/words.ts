/** What the scripted producers say. Plain and markdown answers, each with a word in its middle at which a connection may end. */

export interface Words {
  readonly reasoning: string;
  readonly answer: string;
  /** In the middle of the answer, once, and whole in one piece. */
  readonly middle: string;
  /** The last word of the reasoning, once, and whole in one piece. */
  readonly thought: string;
}

const PLAIN: Words = {
  reasoning: 'The question names the retention window, which is a setting, so the configuration is the place to quote from.',
  answer:
    'The retention window is set by audit_days in config/retention.yaml. It is 90 days for audit logs and 30 days for access logs, counted from the moment of ingestion. Changing it needs a restart of the collector, and older entries are removed at the next nightly sweep.',
  middle: 'counted',
  thought: 'quote',
};

const MARKDOWN: Words = {
  reasoning: PLAIN.reasoning,
  thought: PLAIN.thought,
  answer: [
    '## Retention',
    '',
    'The window is set by `audit_days` in **config/retention.yaml**:',
    '',
    '```yaml',
    'audit_days: 90',
    'access_days: 30',
    '```',
    '',
    '| Log | Days |',
    '| --- | ---: |',
    '| audit | 90 |',
    '| access | 30 |',
    '',
    'To change it:',
    '',
    '1. Edit the file, and mind the [units](https://example.org/units).',
    '2. Restart the *collector* afterwards.',
    '3. Wait for the nightly sweep, which removes what is older.',
  ].join('\n'),
  middle: 'mind',
};

const CHINESE: Words = {
  reasoning: '用户问的是保留期限，这是一个配置项，所以应当引用配置文件中的内容来回答。',
  answer:
    '保留期限由 config/retention.yaml 中的 audit_days 设置。审计日志保留九十天，访问日志保留三十天，从写入时开始计算。修改之后需要重新启动收集器，更早的记录会在当天夜里清理时删除。',
  middle: '写入时',
  thought: '回答',
};

const ARABIC: Words = {
  reasoning: 'السؤال عن مدة الاحتفاظ وهي إعداد، لذلك يجب الاقتباس من ملف الإعدادات مباشرة.',
  answer:
    'تحدد مدة الاحتفاظ بواسطة audit_days في الملف config/retention.yaml. وهي تسعون يوما لسجلات التدقيق وثلاثون يوما لسجلات الوصول، محسوبة من لحظة الإدخال. وتغييرها يحتاج إلى إعادة تشغيل المجمع، وتحذف السجلات الأقدم في الليلة التالية.',
  middle: 'محسوبة',
  thought: 'مباشرة',
};

export const WORDS: Readonly<Record<string, Words>> = { plain: PLAIN, markdown: MARKDOWN, chinese: CHINESE, arabic: ARABIC };

/** What the page's address asks for in `words`. */
export const wordsOf = (url: URL): Words => WORDS[url.searchParams.get('words') ?? 'plain'] ?? PLAIN;

/** Pieces as models stream them: a word or two, or a few letters of a script without spaces. Joined they are the text. */
export const piecesOf = (text: string): readonly string[] =>
  /[\p{Script=Han}\p{Script=Thai}]/u.test(text)
    ? (text.match(/写入时|回答|[\s\S]{1,3}?(?=写入时|回答)|[\s\S]{1,3}/gu) ?? [])
    : (text.match(/\s*\S+/gu) ?? []);
