/**
 * Finds credentials in a text: by their own shape (keys with a known prefix, JWTs, private keys, addresses), by what stands
 * before them (`Authorization:`, `password=`), and by where they stand in a URL. Knows nothing of streams.
 *
 * Ordinary prose and code must come out untouched, so what has no shape of its own counts only after a name that says what
 * it is, and only if it is no placeholder.
 */
import { findNumbers } from './numbers';

/** `word`: what somebody asked to have taken out, whatever it is. */
export type SecretKind =
  | 'key'
  | 'token'
  | 'password'
  | 'cookie'
  | 'e-mail'
  | 'private key'
  | 'url'
  | 'phone number'
  | 'card number'
  | 'word';

export interface Hit {
  readonly start: number;
  readonly end: number;
  readonly kind: SecretKind;
}

/** Keys that say themselves what they are. Sources: the vendors' documentation of their key formats. */
const PREFIXED: readonly string[] = [
  'sk-(?:ant-|proj-|or-v1-|svcacct-|admin-|lf-)?[A-Za-z0-9_-]{16,}', // OpenAI, Anthropic, OpenRouter, DeepSeek, Langfuse
  'pk-lf-[A-Za-z0-9-]{16,}',
  '(?:sk|pk|rk)_(?:live|test)_[A-Za-z0-9]{10,}', // Stripe, Clerk
  'whsec_[A-Za-z0-9+/=]{16,}',
  'gh[pousr]_[A-Za-z0-9]{20,}',
  'github_pat_[A-Za-z0-9_]{20,}',
  'gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|soat)-[A-Za-z0-9_.-]{16,}',
  'xox[abeoprs]-[A-Za-z0-9-]{10,}',
  'xapp-[A-Za-z0-9-]{10,}',
  '(?:AKIA|ASIA|AROA|AIDA|ABIA|ACCA)[A-Z0-9]{16}',
  'AIza[A-Za-z0-9_-]{35}',
  'ya29\\.[A-Za-z0-9_-]{20,}',
  '1//0[A-Za-z0-9_-]{20,}',
  'GOCSPX-[A-Za-z0-9_-]{20,}',
  'hf_[A-Za-z0-9]{20,}',
  'api_org_[A-Za-z0-9]{20,}',
  'npm_[A-Za-z0-9]{20,}',
  'pypi-[A-Za-z0-9_-]{20,}',
  'SG\\.[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}',
  'key-[0-9a-f]{32}',
  '[0-9a-f]{32}-us[0-9]{1,2}',
  'do[opr]_v1_[a-f0-9]{40,}',
  'shp(?:at|ca|pa|ss)_[a-fA-F0-9]{24,}',
  'sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{20,}',
  'EAAA[A-Za-z0-9_-]{40,}',
  'EAAC[A-Za-z0-9]{40,}',
  'lin_(?:api|oauth)_[A-Za-z0-9]{20,}',
  'gsk_[A-Za-z0-9]{20,}',
  'r8_[A-Za-z0-9]{20,}',
  'pplx-[A-Za-z0-9]{20,}',
  'xai-[A-Za-z0-9]{20,}',
  'tvly-(?:dev-)?[A-Za-z0-9]{16,}',
  'nvapi-[A-Za-z0-9_-]{20,}',
  'fw_[A-Za-z0-9]{20,}',
  'csk-[a-z0-9]{20,}',
  'co_[A-Za-z0-9]{30,}',
  'fc-[a-f0-9]{32}',
  'jina_[A-Za-z0-9_-]{20,}',
  'pcsk_[A-Za-z0-9_]{20,}',
  'voyage-[A-Za-z0-9_-]{24,}',
  'rpa_[A-Z0-9]{20,}',
  'e2b_[a-f0-9]{20,}',
  'bb_live_[A-Za-z0-9_-]{16,}',
  'lsv2_(?:pt|sk)_[A-Za-z0-9_]{20,}',
  'ls__[a-f0-9]{20,}',
  'phx_[A-Za-z0-9]{20,}',
  'phc_[A-Za-z0-9]{20,}',
  'sntry[su]_[A-Za-z0-9+/=_-]{20,}',
  'sbp_[a-f0-9]{20,}',
  'sb_(?:secret|publishable)_[A-Za-z0-9_-]{16,}',
  'vercel_blob_rw_[A-Za-z0-9_]{16,}',
  'vc[pkiar]_[A-Za-z0-9]{20,}',
  'nfp_[A-Za-z0-9]{20,}',
  'dapi[a-f0-9]{32}',
  'dp\\.(?:pt|st|ct|sa|scim|audit)\\.[A-Za-z0-9_.]{20,}',
  'ntn_[A-Za-z0-9]{20,}',
  'secret_[A-Za-z0-9]{40,}',
  'pat[A-Za-z0-9]{14}\\.[a-f0-9]{64}',
  'fig(?:d|o)_[A-Za-z0-9_-]{20,}',
  'HRKU-[A-Za-z0-9_-]{20,}',
  'PMAK-[a-f0-9]{20,}-[a-f0-9]{20,}',
  'NRAK-[A-Z0-9]{20,}',
  'NRJS-[a-f0-9]{15,}',
  'gl(?:sa|c)_[A-Za-z0-9_=+/]{20,}',
  'pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{20,}',
  'pul-[a-f0-9]{40}',
  '[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_-]{40,}',
  'hv[sbr]\\.[A-Za-z0-9_-]{20,}',
  'CFPAT-[A-Za-z0-9_-]{20,}',
  'ATATT3[A-Za-z0-9_=-]{40,}',
  'ATCTT3[A-Za-z0-9_=-]{40,}',
  'AGE-SECRET-KEY-1[A-Z0-9]{40,}',
  'sl\\.[A-Za-z0-9_-]{60,}',
  'FlyV1 [A-Za-z0-9_+/=,-]{20,}',
  'fo1_[A-Za-z0-9_-]{20,}',
  'rubygems_[a-f0-9]{40,}',
  'dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,}',
  'CLOJARS_[a-z0-9]{40,}',
  'tskey-[a-z]+-[A-Za-z0-9-]{16,}',
  'shippo_(?:live|test)_[a-f0-9]{20,}',
  'AC[a-f0-9]{32}', // Twilio
  'SK[a-f0-9]{32}',
  '[0-9]{8,10}:AA[A-Za-z0-9_-]{33}', // Telegram
  '[MNO][A-Za-z0-9_-]{23,27}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,}', // Discord
  'eyJ[A-Za-z0-9_-]{8,}\\.eyJ[A-Za-z0-9_-]{4,}\\.[A-Za-z0-9_-]*', // JWT
  'eyJ[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}(?:\\.[A-Za-z0-9_-]+){0,2}',
];
/** Not in a longer word; emphasis (`_key_`) is none. */
const PREFIX = new RegExp(`(?<![A-Za-z0-9])(?<![A-Za-z0-9]_{1,3})(?:${PREFIXED.join('|')})`, 'gu');

const PRIVATE_KEY =
  /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----([\s\S]*?)(?:-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|$)/gu;

/** Letters of scripts that put spaces between words: without them, nobody can tell where an address begins. */
const LETTER =
  // The first: a letter of two bytes, where characters are bytes.
  '(?:[\\u00c2-\\u00df][\\u0080-\\u00bf]|[A-Za-z0-9\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}\\p{Script=Arabic}\\p{Script=Hebrew}\\p{Script=Devanagari}\\p{M}])';
const EMAIL = new RegExp(
  `(?<!${LETTER})${LETTER}(?:[._%+'-]|${LETTER}){0,63}(?<![.%'])(?:@|%40)(?:${LETTER}(?:(?:-|${LETTER}){0,61}${LETTER})?\\.)+(?:xn--[A-Za-z0-9-]{2,24}|(?:(?![0-9_])${LETTER}){2,24})(?![A-Za-z0-9@])`,
  'gu',
);
/** What has the shape of an address and is none: scp-like remotes, image variants, files of a version. */
const NO_EMAIL =
  /^(?:git|hg|svn)@|@[0-9.]+x\.|\.(?:png|jpe?g|gif|svg|webp|avif|js|mjs|cjs|ts|tsx|jsx|css|json|map|tgz|gz|go|rb)$|@(?:v?[0-9][^@]*|(?:__)?(?:main|lib|mod|index|readme|test|tests|setup|init|app|build|utils?|notes|changelog)(?:__)?)\.(?:md|py|rs|zip)$/iu;

const SCHEME =
  /(?<![A-Za-z0-9_-])(?:bearer|basic|token|apikey|digest|negotiate|ssws|splunk)[ \t]+((?=[A-Za-z0-9._~+/=-]*[0-9._~+/=-])[A-Za-z0-9._~+/=-]{8,})/giu;

const USERINFO = /(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9+.-]{1,24}:\/\/([^\s/?#@"'`<>:\\]{0,256}:[^\s/?#@"'`<>\\]{1,512})@(?=[A-Za-z0-9[])/gu;

const WEBHOOK =
  /(?:hooks\.slack\.com\/(?:services|workflows|triggers)|discord(?:app)?\.com\/api\/webhooks|outlook\.office\.com\/webhook|(?<![a-z0-9-])[a-z0-9-]{1,60}\.webhook\.office\.com\/webhookb2|hooks\.zapier\.com\/hooks\/catch|api\.telegram\.org\/bot)\/?([A-Za-z0-9_@:/-]{16,})/gu;

/** Names whose value is a secret. The first group of names says so outright, `token` and its like need a value that looks it. */
const OUTRIGHT =
  '(?:api|app|application|access|secret|account|shared[_-]?access|encryption|signing|master|service|subscription|license|deploy|private)[_ -]?keys?(?:[_-]?id)?|aws[_-]?secret(?:[_-]?access)?[_-]?key|secret[_-]?access[_-]?key|client[_-]?secret|app[_-]?secret|api[_-]?secret|webhook[_-]?secret|signing[_-]?secret|shared[_-]?secret|jwt[_-]?secret|(?:access|refresh|auth|id|session|bearer|api|csrf|xsrf|security|personal[_-]?access|bot|oauth)[_-]?token|pass(?:word|wd|phrase|code)|pwd|secret|credentials?';
const NAMED = new RegExp(
  // name, closing quote, separator, opening quote, value
  `(?<![A-Za-z0-9])([A-Za-z0-9_.-]{0,40}?(?:${OUTRIGHT}|token|(?<![A-Za-z])(?:otp|pin)))(\\\\*["'\`]?)(\\s{0,3}(?:=>|:=|[:=])\\s{0,3}|\\s+(?:is|was|ist|est|es)\\s+(?:now\\s+)?|\\s+)(\\\\*["'\`])?([^\\s"'\`\\\\,;&<>]{3,}|)`,
  'giu',
);

const PLACEHOLDER =
  /^(?:x{3,}|\*{3,}|\.{3,}|\u2026|<|\[|\$|%|\{|#\{|your|(?:my|the|some)[-_ ]?(?:password|secret|token|key|api)|example|sample|dummy|fake|test(?:ing)?$|change.?me|replace|todo|null$|none$|nil$|undefined$|true$|false$|yes$|no$|string$|number$|boolean$|object$|any$|unknown$|str$|int$|bytes$|required|optional|redacted|hidden|masked|omitted|placeholder|process\.env|os\.|env[.[]|getenv|import\.meta|config\.|settings\.|self\.|this\.|args\.|req\.|request\.|options?\.|props\.|params\.|input\.|user\.|data\.|await|new |f"|r")/iu;

/** Digits among letters, or marks that words do not have: what people and generators make secrets of. */
const looksSecret = (value: string): boolean =>
  value.length >= 4 &&
  ((/[0-9]/u.test(value) && /[A-Za-z]/u.test(value)) ||
    /[!@#$%^&*+=~?/]/u.test(value.slice(0, -1)) ||
    /[a-z][A-Z]|[A-Z]{2}[a-z]/u.test(value)) &&
  !/^[(]|[()[\]{}]/u.test(value);

/** `config.apiKey`, `privateKey`, `/home/me`: names of things in code, and paths. */
const isReference = (value: string): boolean =>
  /^[A-Za-z_$][A-Za-z_$]*(?:\??\.[A-Za-z_$][\w$]*)*$/u.test(value) ||
  /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$/u.test(value) ||
  /^[/~.]+\//u.test(value);

/** Long, and with both letters and digits: no word, no identifier of a variable. */
export const looksRandom = (value: string): boolean =>
  value.length >= 16 &&
  /[0-9]/u.test(value) &&
  /[A-Za-z]/u.test(value) &&
  /^[A-Za-z0-9._~+/=:-]+$/u.test(value) &&
  !/^(?:[a-z]+[-_.:])+[a-z0-9]{1,8}$/u.test(value);

export const isPlaceholder = (value: string): boolean => PLACEHOLDER.test(value);

const STRONG_TOKEN = /(?:access|refresh|auth|id|session|bearer|api|csrf|xsrf|security|bot|oauth)[_-]?token$/iu;
/** Tokens of paging and counting. */
const COUNTING = /(?:page|continue|continuation|next|sync|cursor|resume|stop|start|end|max|min)[_-]?token$/iu;
const isWeakName = (name: string): boolean => /(?:token|otp|pin)$/iu.test(name) && !STRONG_TOKEN.test(name);

/** Whether the value after a name is a secret. */
const isNamedSecret = (name: string, separator: string, quoted: boolean, value: string): boolean => {
  if (value.length < 4 || isPlaceholder(value)) return false;
  if (isWeakName(name)) {
    if (COUNTING.test(name)) return false;
    if (/(?:otp|pin)$/iu.test(name)) return /^[0-9]{4,8}$/u.test(value);
    return value.length >= 12 && /[0-9]/u.test(value) && /[A-Za-z]/u.test(value) && !/[()[\]{}]/u.test(value) && !isReference(value);
  }
  if (name === 'PWD' || name === 'OLDPWD') return false;
  const assigned = /[:=]/u.test(separator);
  if (assigned && quoted) return !/^(?:[a-z]+_)?(?:password|passwd|secret|token|key|credentials?)$/iu.test(value);
  if (!assigned && separator.trim() === '') return /^--?/u.test(name) === false ? false : looksSecret(value);
  // DB_PASSWORD=correcthorse: an environment file names in capitals.
  if (/^[A-Z0-9_]+$/u.test(name) && separator.startsWith('=')) return !/[()]/u.test(value);
  if (/^password$|^passwd$|^pwd$|passphrase$/iu.test(name) && separator === '=')
    return /^[^()[\]{}.]{5,}$/u.test(value) && !/pass|secret|token|pwd|key|hash|input|value|field/iu.test(value);
  return looksSecret(value) && !isReference(value);
};

/** A noun in the plural, and no verb. */
const COUNTED = /^ (?!is\b|was\b|has\b|as\b|this\b|its\b|expires\b|works\b|fails\b)[a-z]+s\b/u;

const COOKIES =
  /(?<![A-Za-z0-9])(?:set-)?cookie["']?\s*[:=]\s*["']?((?:[A-Za-z0-9!#$%&'*+.^_|~-]+=[^;\s"',\\]*;?\s*(?:(?:HttpOnly|Secure|Partitioned)\b;?\s*)*)+)/giu;
const COOKIE = /([A-Za-z0-9!#$%&'*+.^_|~-]+)=([^;\s"',\\]+)/gu;
const COOKIE_ATTRIBUTE = /^(?:path|domain|expires|max-age|samesite|priority)$/iu;

const HEADER =
  /(?<![A-Za-z0-9-])(?:proxy-)?(?:authorization|x-api-key|api-key|x-auth-token|x-access-token|x-goog-api-key|x-amz-security-token|x-csrf-token|x-xsrf-token|x-functions-key|ocp-apim-subscription-key)["']?\s*:\s*["']?(?:(?:bearer|basic|token|apikey|digest)\s+)?([^\s"',\\]{6,})/giu;

const QUERY =
  /[?&#;]((?:[A-Za-z0-9_.-]*(?:token|api_?key|apikey|secret|password|passwd|pwd|signature|credential|session_?id|sid|auth|sig|jwt|assertion|x-amz-security-token|otp|code|state|nonce|ticket|access_?key|subscription-key|invite|key))(?:\[\])?)=([^&#\s"'<>\\()[\]\u0000-\u001f]{4,})/giu;
/** A part of a form in parts: its name, and what stands in it. */
const PART =
  /content-disposition:[^\r\n]{0,200}?\bname="([^"\r\n]{1,80})"[^\r\n]{0,200}\r?\n(?:[^\r\n]{1,400}\r?\n){0,4}\r?\n([^\r\n]{1,4096})/giu;

/** Names that also occur in harmless query strings: their value must look it. */
const WEAK_QUERY = /^(?:code|state|key|nonce|ticket|invite|auth|sid|otp|sig)$/iu;

/** Names that leave no doubt: a long value of letters or of digits alone is a secret, too, unless it says what should stand there. */
const STRONG_QUERY =
  /(?:access|refresh|auth|id|session|bearer|api|security)[_-]?token$|api_?key$|access_?key$|subscription-key$|x-amz-signature$/iu;
const isLong = (value: string): boolean =>
  (/^[0-9]{10,}$/u.test(value) || /^[A-Za-z._~%+-]{14,}$/u.test(value)) && !/token|key|here|secret|demo|value|string/iu.test(value);

const looksOpaque = (value: string): boolean => value.length >= 8 && /[0-9]/u.test(value) && /[A-Za-z]/u.test(value);

/** Like matchAll, without its copy of the expression: that costs more than looking through a short text. */
const matches = (expression: RegExp, text: string): readonly RegExpExecArray[] => {
  expression.lastIndex = 0;
  let match = expression.exec(text);
  if (match === null) return NO_MATCHES;
  const all: RegExpExecArray[] = [];
  for (; match !== null; match = expression.exec(text)) {
    all.push(match);
    if (expression.lastIndex === match.index) expression.lastIndex++;
  }
  return all;
};
const NO_MATCHES: readonly RegExpExecArray[] = [];

/** All secrets of the text, in order, without overlaps: where two meet, they become one. */
export const findSecrets = (text: string): readonly Hit[] => {
  const hits: Hit[] = [];
  const add = (start: number, end: number, kind: SecretKind): void => {
    if (end > start) hits.push({ start, end, kind });
  };
  const group = (match: RegExpExecArray, value: string): number => match.index + match[0].lastIndexOf(value);

  for (const match of matches(PREFIX, text)) {
    const emphasis = text[match.index - 1] === '_';
    const value = match[0].replace(emphasis ? /[._-]+$/u : /[.-]+$/u, '');
    if (isWordy(value)) continue;
    add(match.index, match.index + value.length, value.startsWith('eyJ') ? 'token' : 'key');
  }
  if (text.includes('PRIVATE KEY'))
    for (const match of matches(PRIVATE_KEY, text)) {
      const body = match[1]!.trim();
      const at = match.index + match[0].indexOf(body, 20);
      if (body !== '' && !isPlaceholder(body)) add(at, at + body.length, 'private key');
    }
  if (text.includes('@') || text.includes('%40'))
    for (const match of matches(EMAIL, text)) if (!NO_EMAIL.test(match[0])) add(match.index, match.index + match[0].length, 'e-mail');
  if (text.includes('://'))
    for (const match of matches(USERINFO, text)) {
      const at = match.index + match[0].length - 1 - match[1]!.length;
      if (!isPlaceholder(match[1]!.split(':')[1] ?? '') && !/^(?:user(?:name)?|usr):(?:pass(?:word|wd)?|pwd|pw)$/iu.test(match[1]!))
        add(at, at + match[1]!.length, 'password');
    }
  if (text.includes('.com/') || text.includes('telegram'))
    for (const match of matches(WEBHOOK, text)) {
      const value = match[1]!.replace(/[/-]+$/u, '');
      if (/[0-9]/u.test(value) && !/[<{]/u.test(value) && !isPlaceholder(value))
        add(group(match, match[1]!), group(match, match[1]!) + value.length, 'url');
    }
  for (const match of matches(SCHEME, text)) {
    const value = match[1]!.replace(/[.]+$/u, '');
    if (isPlaceholder(value) || !isOpaqueScheme(value)) continue;
    add(group(match, match[1]!), group(match, match[1]!) + value.length, 'token');
  }
  for (const match of matches(HEADER, text)) {
    const value = match[1]!;
    if (!isPlaceholder(value) && looksSecret(value)) add(group(match, value), group(match, value) + value.length, 'token');
  }
  for (const match of matches(NAMED, text)) {
    const [whole, name, , separator, quote, raw] = match as unknown as [string, string, string, string, string | undefined, string];
    // After `password is` there is a sentence and no query string: what looks like the end of a value may be part of it.
    const more =
      quote === undefined && /\s/u.test(separator) ? (/^[^\s"'`\\<>]*/u.exec(text.slice(match.index + whole.length))?.[0] ?? '') : '';
    const quoted = quote === undefined ? '' : (/^ [^"'`\\\n]{0,100}/u.exec(text.slice(match.index + whole.length))?.[0] ?? '');
    // Several words between quotes: a sentence, if they are not those of somebody's password.
    if (quoted !== '' && !looksSecret(raw) && !(/pass|pwd/iu.test(name) && isPhrase(raw + quoted))) continue;
    const value = quote === undefined ? (raw + more).replace(/[.,:;!?)\]}]+$/u, '') : raw + quoted;
    if (!isNamedSecret(name, separator.trim() === '' ? separator : separator.trim(), quote !== undefined, value)) continue;
    // So many of something.
    if (
      /(?:otp|pin)$/iu.test(name) &&
      quote === undefined &&
      COUNTED.test(text.slice(match.index + whole.length, match.index + whole.length + 40))
    )
      continue;
    const at = match.index + whole.length - raw.length;
    add(at, at + value.length, /pass|pwd|pin|otp/iu.test(name) ? 'password' : /token/iu.test(name) ? 'token' : 'key');
  }
  if (/cookie/iu.test(text))
    for (const match of matches(COOKIES, text)) {
      const from = match.index + match[0].length - match[1]!.length;
      for (const pair of matches(COOKIE, match[1]!)) {
        const [whole, name, value] = pair as unknown as [string, string, string];
        if (COOKIE_ATTRIBUTE.test(name) || value.length < 4 || isPlaceholder(value)) continue;
        const at = from + pair.index + whole.length - value.length;
        add(at, at + value.length, 'cookie');
      }
    }
  if (text.includes('='))
    for (const match of matches(QUERY, text)) {
      const [whole, name, value] = match as unknown as [string, string, string];
      if (isPlaceholder(value) || (WEAK_QUERY.test(name) && !looksOpaque(value))) continue;
      if (!looksOpaque(value) && !/pass|secret|pwd/iu.test(name) && !(STRONG_QUERY.test(name) && isLong(value))) continue;
      const at = match.index + whole.length - value.length;
      add(at, at + value.length, 'token');
    }
  if (/content-disposition/iu.test(text))
    for (const match of matches(PART, text)) {
      const [whole, name, value] = match as unknown as [string, string, string];
      if (isSecretMember(name, value)) add(match.index + whole.length - value.length, match.index + whole.length, kindOf(name));
    }
  for (const hit of findNumbers(text)) hits.push(hit);
  return mergeHits(hits);
};

/** `sk-learn-like-words-and-more`: words joined by hyphens are no key. */
const isWordy = (value: string): boolean => !/[0-9]/u.test(value) && !/[a-z][A-Z]|[A-Z][a-z]+[A-Z]/u.test(value);

/** `Token bucket1234`, `Bearer authentication2`: a word with a number behind it is no credential. */
const isNumbered = (value: string): boolean => /^[A-Za-z]+[0-9]{1,4}$/u.test(value) && value.length <= 24;

const isOpaqueScheme = (value: string): boolean =>
  !isNumbered(value) &&
  ((/[0-9]/u.test(value) && /[A-Za-z]/u.test(value)) ||
    (/[a-z]/u.test(value) && /[A-Z]/u.test(value.slice(1)) && value.length >= 10) ||
    /=$/u.test(value));

export const mergeHits = (hits: Hit[]): readonly Hit[] => {
  hits.sort((a, b) => a.start - b.start || b.end - a.end);
  const merged: Hit[] = [];
  for (const hit of hits) {
    const last = merged.at(-1);
    if (last && hit.start < last.end) {
      if (hit.end > last.end) merged[merged.length - 1] = { start: last.start, end: hit.end, kind: last.kind };
    } else merged.push(hit);
  }
  return merged;
};

/** What a secret is, by the name it stands under. */
export const kindOf = (name: string): SecretKind =>
  /cookie/iu.test(name) ? 'cookie' : /pass|pwd|^pw$|pin|otp/iu.test(name) ? 'password' : /token|auth|jwt/iu.test(name) ? 'token' : 'key';

/** JSON keys whose string value is a secret, whatever it looks like. Lists of them have the name in the plural. */
const SECRET_KEY =
  /^(?:.*(?:passwords?|passwd|passphrases?|apikeys?|apisecret|clientsecret|appsecret|secretkeys?|secretaccesskey|accesskeyid|privatekeys?|accesstokens?|refreshtokens?|authtoken|idtoken|sessiontoken|securitytoken|bearertoken|csrftoken|xsrftoken|signingsecret|webhooksecret|sharedsecret|jwtsecret|connectionstring)|pwd|pw|secret|credentials?|authorization|proxyauthorization|cookies?|setcookie|xauthtoken|passcodes?)$/u;
const WEAK_KEY = /^(?:token|.*[a-z]token|jwt|signature|otp|pin)$/u;
const PASSWORD_KEY = /(?:passwords?|passwd|passcodes?|pwd|^pw|^pass|^otp|^pin)$/u;
/** Names of one thing among others that say nothing by themselves: what stands in it is a secret where it looks like one. */
const GROUP_KEY = /^(?:.*credentials?|secrets|.*apikeys|.*passwords|auth)$/u;
const IDENTITY =
  /^(?:user|username|login|email|mail|name|type|kind|id|url|uri|host|hostname|server|scope|region|provider|path|method)$|(?:Id|_id)$/iu;

/** What a form says about its password, where another would hold one. */
const SAYS =
  /\b(?:is|are|be|must|should|not|can|cannot|can't|do|don't|did|required|invalid|your|you|the|a|an|at|to|of|for|with|too|short|long|weak|wrong|incorrect|missing|enter|please|forgot|reset|change|new|old|current|confirm|again|match|characters?|field|blank|empty|expired|minimum|maximum|ist|falsch|muss|nicht|zu|kurz|es|est|debe|obligatoria|invalide|incorrecto)\b|pass|senha|contrase|kennwort|wachtwoord|mot de/iu;
/** Several words by which somebody remembers a secret: all of them small, or with a mark or a digit among them. */
const isPhrase = (value: string): boolean =>
  value.length <= 100 &&
  !SAYS.test(value) &&
  (/^[a-z]+(?: [a-z]+){1,7}$/u.test(value) || (/[0-9!@#$%^&*+=~?]/u.test(value.slice(0, -1)) && value.split(/\s+/u).length <= 6));

/** Whether a string under this JSON key is a secret by its name. */
export const isSecretMember = (key: string, value: string): boolean => {
  const name = key.toLowerCase().replace(/[^a-z0-9]/gu, '');
  if (value.length < 4 || isPlaceholder(value)) return false;
  if (SECRET_KEY.test(name))
    return (
      !/\s/u.test(value) || /phrase|key$|cookie|authorization|connectionstring/u.test(name) || (PASSWORD_KEY.test(name) && isPhrase(value))
    );
  if (name === 'pass') return value.length >= 6 && ((!/\s/u.test(value) && looksSecret(value)) || isPhrase(value));
  // OPENAI_KEY, GITHUB_SECRET: a variable of the environment.
  if (/^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:KEY|SECRET|PASS|PW)$/u.test(key))
    return !/\s/u.test(value) && looksSecret(value) && !isReference(value);
  if (
    WEAK_KEY.test(name) &&
    name !== 'signature' &&
    !/(?:page|continue|continuation|next|sync|cursor|resume|stop|start|end|max|min)token$/u.test(name)
  )
    return /^(?:otp|pin)$/u.test(name) ? /^[0-9]{4,8}$/u.test(value) : looksRandom(value);
  return false;
};

/** A number that is a password: written by aliases as one that begins with `100`, and found no more. */
export const isSecretNumber = (key: string, value: string): boolean =>
  /^[1-9][0-9]{3,}$/u.test(value) && !value.startsWith('100') && PASSWORD_KEY.test(key.toLowerCase().replace(/[^a-z0-9]/gu, ''));

/** Whether a value that a list names (`{"name": "API_KEY", "value": …}`, `["Authorization", …]`) is a secret by that name. */
export const isSecretPair = (name: string, value: string, listed: boolean): boolean =>
  // A list of pairs can be one of fields and their kinds.
  (isSecretMember(name, value) && (!listed || looksSecret(value))) ||
  (isSecretHeader(name) && !/\s/u.test(value.replace(/^(?:bearer|basic|token)\s+/iu, '')) && looksSecret(value));

/** Whether a value inside an object that holds secrets is one. */
export const isSecretInside = (group: string, key: string, value: string): boolean =>
  /auth|credential|secret|key|pass/iu.test(group) &&
  GROUP_KEY.test(group.toLowerCase().replace(/[^a-z0-9]/gu, '')) &&
  !IDENTITY.test(key) &&
  value.length >= 6 &&
  !/\s/u.test(value) &&
  !isPlaceholder(value) &&
  looksSecret(value) &&
  !isReference(value);

/** Header names whose value is a secret. */
export const isSecretHeader = (name: string): boolean =>
  /^(?:(?:proxy-)?authorization|cookie|set-cookie)$|(?:^|-)(?:api-?key|token|secret|password|credential|signature|session-?key)s?$|^x-(?:auth|access|csrf|xsrf)|subscription-key|functions-key/iu.test(
    name,
  );
