/**
 * Finds payment card and phone numbers: what people type into a chat and what agents look up. Digits are everywhere in streams
 * (ids, times, amounts, hashes), so a card must have the length, the beginning and the check digit of one, and a phone
 * number must be written as one: with a country code that exists, or grouped as its country groups them.
 */
import type { Hit } from './secrets';

/** Issuers' ranges as beginnings, with the lengths they have. ISO/IEC 7812 and the networks' own pages. */
const ISSUERS: readonly (readonly [RegExp, readonly number[]])[] = [
  [/^4/u, [16, 19]], // Visa
  [/^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/u, [16]], // Mastercard
  [/^3[47]/u, [15]], // American Express
  [/^(?:6011|64[4-9]|65)/u, [16, 19]], // Discover
  [/^62/u, [16, 17, 18, 19]], // UnionPay
  [/^35(?:2[89]|[3-8])/u, [16]], // JCB
  [/^3(?:0[0-5]|[689])/u, [14]], // Diners Club
  [/^(?:5018|5020|5038|5893|6304|6759|676[1-3])/u, [16]], // Maestro
];

export const hasCheckDigit = (digits: string): boolean => {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = digits.charCodeAt(digits.length - 1 - i) - 48;
    sum += i % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2;
  }
  return sum % 10 === 0;
};

const isCard = (digits: string): boolean =>
  ISSUERS.some(([begins, lengths]) => begins.test(digits) && lengths.includes(digits.length)) &&
  !/^(\d)\1+$/u.test(digits) &&
  hasCheckDigit(digits);

/** Digits, bare or in groups by one kind of separator; no part of a longer word, number, path or identifier. */
const CARD =
  /(?<![\w.+/#@$€£-])(?<!-\s?)(?:\d{14,19}|\d{4}([ -])\d{4}\1\d{4}\1\d{2,4}(?:\1\d{1,3})?|\d{4}([ -])\d{6}\2\d{4,5})(?![\w/]|[.,-]\d|-\w)/gu;

/** Country calling codes: one and two digits are complete, three digits by their first two. ITU-T E.164. */
const COUNTRY =
  /^(?:1[2-9]\d{2}[2-9]|7[3-9]|2[07]|3[0-4689]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|2[1-46]\d|25[0-8]|29[0179]|35\d|37[0-8]|38[0-35-79]|42[013]|50\d|59\d|67\d|68\d|69[012]|85[02356]|88[06]|96\d|97[0-79]|99[2-68])/u;
const INTERNATIONAL = /(?<![\w+.,:=/-]|\d\s)\+[1-9][\d ()./\u00a0\u2011-]{6,22}\d(?![\w+]|[.,:]\d)/gu;
/** North America: area code and exchange begin with 2 to 9. */
const AMERICAN =
  /(?<![\w.+/:#$€£=-])(?<!\d\s)(?:1[ .-])?(?:\(([2-9]\d{2})\) ?|([2-9]\d{2})([.-]))([2-9]\d{2})([.-])(\d{4})(?![\w/]|[.,:-]\d|-\w)/gu;
/** Trunk zero, then groups: 020 7946 0958, (030) 1234567, 0171/1234567, 07700 900123. */
const TRUNK =
  /(?<![\w.+/:#$€£,=-])(?<!\d\s)(?:\(0[1-9]\d{1,4}\)[ /-]?\d{3,4}[ -]?\d{2,5}|0[1-9]\d{1,3}[ /]\d{3,4} \d{3,4}|0[1-9]\d{2,3}[ /-]\d{6,8}|0(?:7\d{3}|1\d{3}) \d{6}|0[1-9]\d[ /]\d{7,8})(?![\w/]|[ ]\d|[.,:-]\d)/gu;
/** In pairs, as in France: 06 12 34 56 78. After other pairs they are bytes. */
const PAIRS = /(?<![\w.+:#,-])(?<!\d\s)(?<!\b[\da-f]{2} )0[1-9]([ .])\d\d\1\d\d\1\d\d\1\d\d(?![\w]|[ .:,-]\d)/gu;

const digitsOf = (text: string): string => text.replace(/\D/gu, '');

/** Rows of zeros, of one digit, or counting up are made up: placeholders and test values of programs. */
const isMadeUp = (digits: string): boolean => /0{6}|(\d)\1{6}|^10{3}/u.test(digits);

const isInternational = (text: string): boolean => {
  const digits = digitsOf(text);
  if (digits.length < 9 || digits.length > 15 || isMadeUp(digits) || !COUNTRY.test(digits)) return false;
  // North America and Russia have one length. The rest is not longer than E.164 allows in practice.
  if (digits[0] === '1' || digits[0] === '7') return digits.length === 11;
  // A decimal number: one point and no other separator. Two separators in a row are no way to write a number.
  return digits.length <= 13 && !/^\+\d+\.\d+$/u.test(text) && !/[./-]{2}|\(\d*$|^[^(]*\)/u.test(text);
};

const counts = (text: string): boolean => {
  const pairs = text.split(/[ .]/u).map(Number);
  return pairs.every((pair, i) => i === 0 || pair === pairs[i - 1]! + 1 || pair === pairs[0]);
};

const ANY = /\d[\d ()./\u00a0\u2011-]{6,}\d/u;

/** All card and phone numbers of the text. */
export const findNumbers = (text: string): readonly Hit[] => {
  if (!ANY.test(text)) return NONE;
  const hits: Hit[] = [];
  const add = (match: RegExpMatchArray, kind: Hit['kind']): void => {
    hits.push({ start: match.index!, end: match.index! + match[0].length, kind });
  };
  for (const match of text.matchAll(CARD)) if (isCard(digitsOf(match[0]))) add(match, 'card number');
  if (text.includes('+')) for (const match of text.matchAll(INTERNATIONAL)) if (isInternational(match[0])) add(match, 'phone number');
  for (const match of text.matchAll(AMERICAN))
    if (match[2] === undefined || match[3] === match[5]) if (!isMadeUp(digitsOf(match[0]))) add(match, 'phone number');
  for (const match of text.matchAll(TRUNK)) if (!isMadeUp(digitsOf(match[0]))) add(match, 'phone number');
  for (const match of text.matchAll(PAIRS)) if (!counts(match[0]) && !isMadeUp(digitsOf(match[0]))) add(match, 'phone number');
  return hits;
};
const NONE: readonly Hit[] = [];

/** Members that hold ids, times and counts: digits there are no person's. */
const TECHNICAL =
  /^(?:ids?|ts|time|timestamp|seq|nonce|offset|hash|digest|created|updated|cursor|version|index|size|bytes|length|duration|total|count|fingerprint|etag|sha\d*|code|status)$|(?:_|[a-z])(?:Ids?|_ids?|_at|At|_ts|Ts|_time|Time|Timestamp|_timestamp|_ms|Ms|_ns|Ns|Hash|_hash|Seq|_seq|Count|_count|Tokens|_tokens|Version|_version)$/u;
export const isTechnicalMember = (key: string): boolean => TECHNICAL.test(key);

const PHONE_MEMBER = /^(?:.*(?:phone|mobile|telephone|msisdn|fax|cellphone)(?:number|no|nr)?|tel|phonenumbers?|whatsapp)$/u;
const CARD_MEMBER = /^(?:(?:.*card|cc|pan|creditcard|debitcard)(?:number|num|no)|pan|primaryaccountnumber)$/u;
const CODE_MEMBER = /^(?:cvc|cvv|cvv2|cvc2|securitycode|cardcode|cardcvc|cardcvv|iban)$/u;

/** A number under a member that says what it is, however it is written. */
export const numberKindOf = (key: string, value: string): Hit['kind'] | null => {
  const name = key.toLowerCase().replace(/[^a-z0-9]/gu, '');
  const digits = digitsOf(value);
  if (isMadeUp(digits) || value.length > 40) return null;
  if (PHONE_MEMBER.test(name) && /^[+\d][\d ()./x\u00a0\u2011-]*$/u.test(value) && digits.length >= 7 && digits.length <= 15)
    return 'phone number';
  if (CARD_MEMBER.test(name) && /^[\d -]+$/u.test(value) && digits.length >= 12 && digits.length <= 19) return 'card number';
  if (CODE_MEMBER.test(name) && (/^\d{3,4}$/u.test(value) || (name === 'iban' && /^[A-Z]{2}\d{2}[A-Z0-9 ]{11,34}$/u.test(value))))
    return 'card number';
  return null;
};
