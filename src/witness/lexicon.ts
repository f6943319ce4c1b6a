/**
 * Host quirks as data: words that name a place for working material, tokens that speak of work under way, glyphs that stand
 * for a typing caret. They only say where something is shown or what is worth noting; nothing is concluded from them here.
 */

/** Names of places where a page puts what a model thinks, in markup or on a label. Matched anywhere in a lower-case name. */
export const REASONING_NAMES = [
  'reasoning',
  'thinking',
  'thought',
  'chain-of-thought',
  'chainofthought',
  'scratchpad',
  'raisonnement',
  'réflexion',
  'reflexion',
  'überlegung',
  'gedanke',
  'gedankengang',
  'denkprozess',
  'nachdenken',
  'denkt',
  'razonamiento',
  'pensamiento',
  'pensando',
  'raciocínio',
  'raciocinio',
  'pensamento',
  'ragionamento',
  'pensiero',
  'redenering',
  'denken',
  'rozumowanie',
  'myślenie',
  'рассуждени',
  'размышлени',
  'мысли',
  'düşünce',
  'düşünüyor',
  'التفكير',
  'तर्क',
  'सोच',
  '思考',
  '推理',
  '思维',
  '推論',
  '考え',
  '추론',
  '생각',
] as const;

/** Names of places for calls and their results. */
export const TOOL_NAMES = [
  'tool',
  'function-call',
  'functioncall',
  'werkzeug',
  'outil',
  'herramienta',
  'ferramenta',
  '工具',
  'ツール',
  '도구',
] as const;

/**
 * Labels of places for what an agent says of its work: the whole label, lower case. Never matched within a name: `in-progress`
 * on an answer says how far it is, not what it is.
 */
export const PROGRESS_LABELS = new Set([
  'progress',
  'activity',
  'activity log',
  'agent activity',
  'steps',
  'plan',
  'to-do',
  'todo',
  'todos',
  'fortschritt',
  'aktivität',
  'schritte',
  'progression',
  'activité',
  'étapes',
  'progreso',
  'actividad',
  'pasos',
  'progresso',
  'atividade',
  'etapas',
  'passi',
  'voortgang',
  'ход работы',
  'прогресс',
  '进度',
  '步骤',
  '進捗',
  '手順',
  '진행 상황',
]);

/** Values of role-like attributes and class tokens by which a message says whose it is. Exact, lower case. */
export const USER_NAMES = new Set([
  'user',
  'human',
  'me',
  'self',
  'you',
  'user-message',
  'message-user',
  'from-user',
  'is-user',
  'human-message',
  'usermessage',
]);
export const ASSISTANT_NAMES = new Set(['assistant', 'ai', 'bot', 'model', 'agent']);
/** Attributes that carry such a value. */
export const ROLE_ATTRIBUTES = [
  'data-role',
  'data-message-role',
  'data-message-author-role',
  'data-author',
  'data-sender',
  'data-from',
  'data-author-role',
  'data-speaker',
] as const;

/** Class tokens and ids that make even a paragraph or a list item a piece of its own. */
export const PIECE_TOKEN =
  /^(?:[a-z]+[-_])*(?:message|msg|bubble|turn|user|assistant|bot|human|reply|response|answer|reasoning|thinking|thought|tool|status|error|notice|system|alert|toast|log|activity|progress)(?:[-_][a-z0-9]+)*$/iu;

/** Class tokens that speak of a state rather than a look. */
export const STATE_TOKEN =
  /load|stream|typing|generat|think|pending|busy|work|running|progress|spin|pulse|skeleton|shimmer|blink|cursor|caret|wait|active|complete|done|final|finish|settled|stopp|error|fail|abort|cancel|interrupt|retry|open|closed|expanded|collapsed|disabled|draft|partial|incomplete/iu;

/** Utility classes say how a thing looks; frameworks put them there by the dozen. */
export const UTILITY_TOKEN =
  /[:[\]/!@()%.]|^-?(?:[mp][trblxyse]?|w|h|min|max|gap|inset|top|left|right|bottom|z|flex|grid|col|row|text|font|bg|border|rounded|shadow|items|justify|self|space|leading|tracking|overflow|opacity|size|order|ring|outline|object|line|whitespace|break|select|cursor|duration|ease|translate|scale|rotate)-|^(?:flex|grid|block|inline|relative|absolute|fixed|sticky|container|truncate|grow|shrink|border|rounded|shadow|transition|group|peer|prose|italic|underline|uppercase|antialiased)$/u;

/** Glyphs that stand for a caret, at the very end of a text. */
export const CARET = /[\s\u200B]*([\u2581-\u258F\u25AE\u25AF\u25CF\u25C9\u2B24\u2B1B\u2588])[\s\u200B]*$/u;

/** In the name of an icon: it stops what is under way. Icons are named in English whatever the page speaks. */
export const STOP_ICON = /(?:(?:^|[-_#/.:])(?:[Ss]top|[Aa]bort)|[a-z](?:Stop|Abort))(?:$|[-_.:A-Z])/u;

/** Attributes whose change is never a state: names, targets, positions, and what is read in its own way. */
export const NO_STATE_ATTRIBUTE =
  /^(?:class|style|id|href|src|srcset|alt|title|for|name|d|x|y|x1|x2|y1|y2|cx|cy|r|width|height|viewbox|transform|points|fill|stroke.*|value|tabindex|type|target|rel|lang|dir|slot|part|nonce|integrity|aria-label|aria-labelledby|aria-describedby|aria-controls|aria-owns|aria-activedescendant|aria-valuenow|aria-valuetext|aria-posinset|aria-setsize|aria-busy|data-unsettled|data-(?:id|key|index|reactid|v-.*|testid|test-id|message-id|item-index|known-size|scroll.*|offset.*|time.*|length|count|text|content|token.*))$/iu;
